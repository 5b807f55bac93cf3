import CCurl
import Glibc

/// A transfer as libcurl has it (its "easy handle"), with everything that libcurl does not copy. For one thread.
@safe final class EasyTransfer {
  let transfer: Transfer
  let handle: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let body: UnsafeMutableBufferPointer<UInt8>
  private let words: UnsafeMutableBufferPointer<CChar>

  /// `nil` where libcurl lacks an option, or memory: what it does not understand is no request.
  init?(_ transfer: Transfer, _ settings: TransferSettings) {
    guard let handle = unsafe ccurl_new() else { return nil }
    self.transfer = transfer
    unsafe self.handle = handle
    // Below: pointers of this object's own, which it gives back in `deinit`.
    unsafe body = .allocate(capacity: max(1, transfer.request.body.count))
    _ = unsafe body.initialize(from: transfer.request.body)
    unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe words.initialize(repeating: 0)
    do throws(Refusal) {
      try set(transfer.request)
      try set(transfer.request.endpoint, settings)
      try set(settings.limits)
      try setTakers()
    } catch { return nil }
  }

  deinit {
    unsafe ccurl_free(handle)
    unsafe ccurl_free_list(headers)
    unsafe explicit_bzero(body.baseAddress!, body.count)
    unsafe body.deallocate()
    unsafe words.deallocate()
  }

  /// It ended by itself.
  func end(_ code: CURLcode) {
    // libcurl ends what it writes there with a zero.
    let text = unsafe String(cString: words.baseAddress!)
    transfer.end(code == CURLE_OK ? nil : NetworkError(code, text, host: transfer.request.endpoint.host))
  }

  // MARK: - what libcurl is told

  private struct Refusal: Error {}

  private func check(_ code: CURLcode) throws(Refusal) { guard code == CURLE_OK else { throw Refusal() } }

  private func set(_ option: CURLoption, _ number: Int) throws(Refusal) {
    try check(unsafe ccurl_set_number(handle, option, number))
  }

  private func set(_ option: CURLoption, _ text: String) throws(Refusal) {
    try check(unsafe ccurl_set_text(handle, option, text))
  }

  private func set(_ request: NetworkRequest) throws(Refusal) {
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    if request.method == .head { try set(CURLOPT_NOBODY, 1) }
    if !request.body.isEmpty || [.post, .put, .patch].contains(request.method) {
      try check(unsafe ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(request.body.count)))
      try check(unsafe ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, body.baseAddress!))
    }
    // libcurl sends a request once more where a connection that was kept turns out to be closed. Once is all that may be here.
    if !request.method.isIdempotent { try set(CURLOPT_FRESH_CONNECT, 1) }
    // How long a message is, is not the caller's to say.
    let fields = request.headers.fields.filter { !["content-length", "transfer-encoding"].contains($0.name.lowercased()) }
    // An empty value is written so; a name and a colon alone keep libcurl from sending a field of its own.
    for (name, value) in fields { try add(value.isEmpty ? "\(name);" : "\(name): \(value)") }
    for own in ["Accept", "Content-Type", "Expect"] where request.headers.values(own).isEmpty { try add("\(own):") }
    if request.headers.values("User-Agent").isEmpty { try add("User-Agent: Signet") }
    try check(unsafe ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers))
  }

  private func add(_ line: String) throws(Refusal) {
    guard let longer = unsafe ccurl_append(headers, line) else { throw Refusal() }
    unsafe headers = longer
  }

  private func set(_ endpoint: Endpoint, _ settings: TransferSettings) throws(Refusal) {
    try set(CURLOPT_URL, endpoint.description)
    try set(CURLOPT_PROTOCOLS_STR, endpoint.origin.isSecure ? "https" : "http")
    try set(CURLOPT_PATH_AS_IS, 1)
    // Whatever the environment says: no proxy.
    try set(CURLOPT_PROXY, "")
    try set(CURLOPT_FOLLOWLOCATION, 0)
    guard endpoint.origin.isSecure else { return }
    try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    // Only what vouches for itself is a root.
    try set(CURLOPT_SSL_OPTIONS, Int(CURLSSLOPT_NO_PARTIALCHAIN))
    // In the place of the system's file of roots, whose folder of the same is read still.
    if !settings.roots.isEmpty {
      try check(unsafe ccurl_set_bytes(handle, CURLOPT_CAINFO_BLOB, settings.roots, settings.roots.count))
    }
    if let pins = settings.pins[endpoint.host] { try set(CURLOPT_PINNEDPUBLICKEY, pins) }
  }

  private func set(_ limits: HTTPNetworkClient.TimeLimits) throws(Refusal) {
    try set(CURLOPT_NOSIGNAL, 1)
    // A name that is still looked up must not be waited for when its request is dropped.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.milliseconds)
    try set(CURLOPT_TIMEOUT_MS, (transfer.deadline - .now).milliseconds)
    // Less than a byte a second for so long.
    try set(CURLOPT_LOW_SPEED_LIMIT, 1)
    try set(CURLOPT_LOW_SPEED_TIME, (limits.idle.milliseconds + 999) / 1000)
  }

  private func setTakers() throws(Refusal) {
    try check(unsafe ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, words.baseAddress!))
    let owner = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    // The transfer is this object's, which is there as long as libcurl's handle; the bytes are there during the call.
    try check(
      unsafe ccurl_set_takers(
        handle,
        { bytes, size, count, owner in
          let line = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: size * count))
          return unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue().take(line: line) ? size * count : 0
        },
        { bytes, size, count, owner in
          let piece = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: size * count))
          return unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue().take(body: piece) ? size * count : 0
        }, owner))
  }
}

extension Duration {
  /// At least one: 0 is no limit for libcurl.
  var milliseconds: Int { max(1, Int(self / .milliseconds(1))) }
}
