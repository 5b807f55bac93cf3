// signet-fprint: see SignetFprint.

/// The name that SwiftPM gives the entry point of an executable; the linker makes it `main`.
@c(signet_fprint_main)
func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  let arguments = [String](count: count, words: words)
  return Version.isAsked(of: "signet-fprint", in: arguments) ? 0 : runFprint(Array(arguments.dropFirst()))
}
