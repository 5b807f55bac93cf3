// signet-hid: see SignetHid.

/// The name that SwiftPM gives the entry point of an executable; the linker makes it `main`.
@c(signet_hid_main)
func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  let arguments = [String](count: count, words: words)
  return Version.isAsked(of: "signet-hid", in: arguments) ? 0 : runHid(Array(arguments.dropFirst()))
}
