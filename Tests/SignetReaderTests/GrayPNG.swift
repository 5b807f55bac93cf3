import CFprint
import Glibc
import SignetTestKit

/// Reads the PNG form that libfprint's example prints have: 8 bits of gray and 8 of alpha, not interlaced. The ink is in
/// the alpha channel.
func grayPNG(at path: String) throws -> PrintImage {
  let picture = try unpackedPNG(at: path, colours: 4, channels: 2)
  // Whole words, as libfprint's own script sends them; paper around.
  let padded = (picture.width + 3) / 4 * 4
  var pixels: [UInt8] = []
  for row in picture.rows {
    pixels += (0..<picture.width).map { row[2 * $0 + 1] } + [UInt8](repeating: 255, count: padded - picture.width)
  }
  return PrintImage(width: padded, height: picture.rows.count, pixels: pixels)
}

/// Reads the form of the pictures beside libfprint's recordings: 8 bits each of red, green and blue, which are the same.
func colourPNG(at path: String) throws -> PrintImage {
  let picture = try unpackedPNG(at: path, colours: 2, channels: 3)
  let pixels = picture.rows.flatMap { row in (0..<picture.width).map { row[3 * $0] } }
  return PrintImage(width: picture.width, height: picture.rows.count, pixels: pixels)
}

/// The bytes of a PNG that is not interlaced, with 8 bits a channel. GIO unpacks it.
private func unpackedPNG(at path: String, colours: UInt8, channels: Int) throws -> (width: Int, rows: [[UInt8]]) {
  let file = try RawFile.read(path)
  var chunks: [String: [UInt8]] = [:]
  var rest = file.dropFirst(8)
  while rest.count >= 12 {
    let count = bigEndian(rest.prefix(4))
    let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
    chunks[name, default: []] += rest.dropFirst(8).prefix(count)
    rest = rest.dropFirst(12 + count)
  }
  guard let header = chunks["IHDR"], header.count == 13, header[8...12] == [8, colours, 0, 0, 0], let packed = chunks["IDAT"]
  else { throw TestKitError("\(path) is no PNG of this form") }
  let (width, height) = (bigEndian(header.prefix(4)), bigEndian(header.dropFirst(4).prefix(4)))
  let data = try inflate(packed, count: height * (channels * width + 1))
  return (width, unfilter(data, rowLength: channels * width, height: height, channels: channels))
}

/// Undoes the filter that begins each row (the PNG specification's section 9).
private func unfilter(_ data: [UInt8], rowLength: Int, height: Int, channels: Int) -> [[UInt8]] {
  var above = [UInt8](repeating: 0, count: rowLength)
  return (0..<height).map { row in
    let start = row * (rowLength + 1)
    var line = [UInt8](data[(start + 1)..<(start + 1 + rowLength)])
    for index in line.indices {
      let left = index >= channels ? line[index - channels] : 0
      let corner = index >= channels ? above[index - channels] : 0
      line[index] &+= prediction(filter: data[start], left, above[index], corner)
    }
    above = line
    return line
  }
}

private func prediction(filter: UInt8, _ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
  switch filter {
  case 1: return left
  case 2: return up
  case 3: return UInt8((Int(left) + Int(up)) / 2)
  case 4:
    let estimate = Int(left) + Int(up) - Int(corner)
    let (a, b, c) = (abs(estimate - Int(left)), abs(estimate - Int(up)), abs(estimate - Int(corner)))
    return a <= b && a <= c ? left : b <= c ? up : corner
  default: return 0
  }
}

private func inflate(_ data: [UInt8], count: Int) throws -> [UInt8] {
  let decompressor = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB)!
  defer { g_object_unref(UnsafeMutableRawPointer(decompressor)) }
  var read: gsize = 0
  var written: gsize = 0
  var result = [UInt8](repeating: 0, count: count)
  let status = g_converter_convert(
    OpaquePointer(UnsafeMutableRawPointer(decompressor)), data, gsize(data.count), &result, gsize(count),
    G_CONVERTER_INPUT_AT_END, &read, &written, nil)
  guard status != G_CONVERTER_ERROR, written == gsize(count) else { throw TestKitError("the picture cannot be unpacked") }
  return result
}

private func bigEndian(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
