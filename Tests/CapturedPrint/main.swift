// captured-print touch|picture FOLDER: a test-only sibling of signet-reader, which never lets a picture out. It opens the one reader
// that libfprint finds, and takes one touch.
//
// touch: compares it with the template in FOLDER/nobody, and writes FOLDER/template, the touch as a template, and
//   FOLDER/minutiae, how many it shows.
// picture: writes FOLDER/picture, as the driver delivers it: a line with width and height, then one byte a pixel.
import CFprint
import Glibc

func fail(_ what: String, _ error: UnsafeMutablePointer<GError>? = nil) -> Never {
  let line = "captured-print: \(what): \(error.map { String(cString: $0.pointee.message) } ?? "")\n"
  _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
  exit(1)
}

func contents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { fail(path) }
  defer { fclose(file) }
  var buffer = [UInt8](repeating: 0, count: 1 << 20)
  return Array(buffer[..<fread(&buffer, 1, buffer.count, file)])
}

func write(_ bytes: some Collection<UInt8>, to path: String) {
  guard let file = fopen(path, "w"), fwrite(Array(bytes), 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
    fail(path)
  }
}

guard CommandLine.arguments.count == 3 else { fail("it needs touch or picture, and a folder") }
let folder = CommandLine.arguments[2]
// Drivers use the fixed values of the recording.
setenv("FP_DEVICE_EMULATION", "1", 1)
var error: UnsafeMutablePointer<GError>?
guard let context = fp_context_new() else { fail("no context") }
fp_context_enumerate(context)
guard let devices = fp_context_get_devices(context), devices.pointee.len == 1, let first = devices.pointee.pdata[0] else {
  fail("there is not one reader")
}
let device = first.assumingMemoryBound(to: FpDevice.self)
guard fp_device_open_sync(device, nil, &error) != 0 else { fail("open", error) }
if CommandLine.arguments[1] == "picture" { takePicture() } else { takeTouch() }
_ = fp_device_close_sync(device, nil, nil)

@MainActor func takePicture() {
  guard let image = fp_device_capture_sync(device, 1, nil, &error) else { fail("capture", error) }
  let (width, height) = (fp_image_get_width(image), fp_image_get_height(image))
  var count: gsize = 0
  guard let pixels = fp_image_get_data(image, &count), count == gsize(width * height) else { fail("no pixels") }
  write(Array("\(width) \(height)\n".utf8) + UnsafeBufferPointer(start: pixels, count: Int(count)), to: folder + "/picture")
}

@MainActor func takeTouch() {
  let bytes = contents(folder + "/nobody")
  guard let nobody = fp_print_deserialize(bytes, gsize(bytes.count), &error) else { fail("nobody's template", error) }
  var touch: OpaquePointer?
  guard fp_device_verify_sync(device, nobody, nil, nil, nil, nil, &touch, &error) != 0, let touch else { fail("verify", error) }
  var data: UnsafeMutablePointer<guchar>?
  var count: gsize = 0
  guard fp_print_serialize(touch, &data, &count, &error) != 0 else { fail("the touch", error) }
  write(UnsafeBufferPointer(start: data, count: Int(count)), to: folder + "/template")
  let minutiae = fp_print_get_image(touch).flatMap { fp_image_get_minutiae($0)?.pointee.len } ?? 0
  write(Array("\(minutiae)".utf8), to: folder + "/minutiae")
}
