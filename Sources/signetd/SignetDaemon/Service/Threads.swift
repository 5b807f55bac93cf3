import Glibc

/// Starts a detached thread with a small stack, which works for whom this one works; false where the system has none left.
package func startThread(_ body: @escaping () -> Void) -> Bool {
  final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
  var attributes = pthread_attr_t()
  guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
  defer { _ = unsafe pthread_attr_destroy(&attributes) }
  _ = unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  _ = unsafe pthread_attr_setstacksize(&attributes, 256 * 1024)
  let origin = ThreadOrigin.present
  let box = unsafe Unmanaged.passRetained(
    Body {
      ThreadOrigin.present = origin
      body()
    })
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, &attributes,
    { context in
      unsafe Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  if code != 0 { unsafe box.release() }
  return code == 0
}
