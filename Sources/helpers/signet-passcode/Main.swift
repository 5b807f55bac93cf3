/// The name that SwiftPM gives the entry point of an executable; the linker makes it `main`.
@c(signet_passcode_main)
func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  Version.isAsked(of: "signet-passcode", in: unsafe [String](count: count, words: words)) ? 0 : PasscodeProgram.run()
}
