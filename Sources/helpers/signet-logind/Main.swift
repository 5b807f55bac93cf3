// signet-logind: see SignetLogind.

/// The name that SwiftPM gives the entry point of an executable; the linker makes it `main`.
@c(signet_logind_main)
func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  let arguments = [String](count: count, words: words)
  return Version.isAsked(of: "signet-logind", in: arguments) ? 0 : runLogind(Array(arguments.dropFirst()))
}
