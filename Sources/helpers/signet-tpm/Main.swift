/// The name that SwiftPM gives the entry point of an executable; the linker makes it `main`.
@c(signet_tpm_main)
func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  let arguments = unsafe [String](count: count, words: words)
  return Version.isAsked(of: "signet-tpm", in: arguments) ? 0 : TPMProgram.run(Array(arguments.dropFirst()))
}
