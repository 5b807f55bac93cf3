// draw-print SEED IMPRESSION: a drawn finger, as the byte stream of libfprint's virtual image reader (width, height, pixels).
import Glibc
import SignetTestKit

let words = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard words.count == 2 else { exit(2) }
let image = SyntheticFinger(seed: words[0]).impression(Int(words[1]))
let bytes =
  [Int32(image.width), Int32(image.height)].flatMap { number in withUnsafeBytes(of: number, Array.init) } + image.pixels
exit(write(STDOUT_FILENO, bytes, bytes.count) == bytes.count ? 0 : 1)
