import Foundation
import Security
import Testing

/// Core Foundation's calls, as programs for Apple's systems make them.
@Suite struct CoreFoundationTests {
  @Test func `each type has an identity of its own`() throws {
    let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil))
    let objects: [(CFTypeRef, CFTypeID)] = [
      ("text" as CFString, CFStringGetTypeID()), (Data([1]) as CFData, CFDataGetTypeID()),
      (["a": 1] as CFDictionary, CFDictionaryGetTypeID()), ([1] as CFArray, CFArrayGetTypeID()),
      (7 as CFNumber, CFNumberGetTypeID()), (Int8(1) as CFNumber, CFNumberGetTypeID()), (1.5 as CFNumber, CFNumberGetTypeID()),
      (kCFBooleanTrue, CFBooleanGetTypeID()), (true as CFBoolean, CFBooleanGetTypeID()),
      (Date() as CFDate, CFDateGetTypeID()), (NSError(domain: "d", code: 1), CFErrorGetTypeID()),
      (Set([1]) as CFSet, CFSetGetTypeID()), (kCFNull, CFNullGetTypeID()), (control, SecAccessControlGetTypeID()),
      (URL(fileURLWithPath: "/") as NSURL, CFURLGetTypeID()),
    ]
    for (object, type) in objects { #expect(CFGetTypeID(object) == type, "\(object)") }
    #expect(Set(objects.map(\.1)).count == 12)
    // As a program looks at what a query gave it.
    let given = "swift" as AnyObject
    #expect(CFGetTypeID(given) == CFStringGetTypeID())
  }

  @Test func `a number is taken for a flag only where it is one`() {
    #expect(CFBooleanGetValue(true as CFBoolean) && !CFBooleanGetValue(kCFBooleanFalse))
    var (small, large, real) = (Int8(0), Int64(0), Double(0))
    #expect(CFNumberGetValue(300 as CFNumber, .sInt8Type, &small) == false)
    #expect(CFNumberGetValue(300 as CFNumber, .sInt64Type, &large) && large == 300)
    #expect(CFNumberGetValue(1.5 as CFNumber, .doubleType, &real) && real == 1.5)
    var number: Int32 = -7
    #expect(CFNumberCreate(nil, .sInt32Type, &number) == -7 as CFNumber)
    let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecReturnData: Int8(1) as NSNumber]
    #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecParam)
  }

  @Test func `data is made, read and changed`() throws {
    let bytes: [UInt8] = [1, 2, 3]
    let data = try #require(CFDataCreate(kCFAllocatorDefault, bytes, bytes.count))
    #expect(CFDataGetLength(data) == 3 && CFDataGetBytePtr(data)[2] == 3 && data as Data == Data(bytes))
    var part: [UInt8] = [0, 0]
    CFDataGetBytes(data, CFRangeMake(1, 2), &part)
    #expect(part == [2, 3])
    bytes.withUnsafeBufferPointer { buffer in
      let borrowed = CFDataCreateWithBytesNoCopy(nil, buffer.baseAddress, buffer.count, kCFAllocatorNull)
      #expect(CFDataGetBytePtr(borrowed) == buffer.baseAddress)
    }
    let owned = try #require(malloc(2)).assumingMemoryBound(to: UInt8.self)
    (owned[0], owned[1]) = (8, 9)
    #expect(CFDataCreateWithBytesNoCopy(nil, owned, 2, kCFAllocatorMalloc) as Data? == Data([8, 9]))
    let changing = try #require(CFDataCreateMutable(nil, 0))
    CFDataAppendBytes(changing, bytes, 3)
    CFDataSetLength(changing, 2)
    CFDataGetMutableBytePtr(changing)[0] = 9
    #expect(CFDataCreateCopy(nil, changing) as Data? == Data([9, 2]))
  }

  @Test func `collections take objects as pointers`() throws {
    let dictionary = try #require(
      CFDictionaryCreateMutable(nil, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks))
    let (key, same, value) = ("key" as CFString, NSString(string: "key"), "value" as CFString)
    func pointer(_ object: AnyObject) -> UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()) }
    CFDictionarySetValue(dictionary, pointer(key), pointer(value))
    CFDictionaryAddValue(dictionary, pointer(key), pointer(key))
    #expect(CFDictionaryGetCount(dictionary) == 1 && CFDictionaryContainsKey(dictionary, pointer(same)))
    #expect(dictionary["key"] as? String == "value")
    CFDictionaryRemoveValue(dictionary, pointer(key))
    #expect(!CFDictionaryContainsKey(dictionary, pointer(key)))
    var (keys, values): ([UnsafeRawPointer?], [UnsafeRawPointer?]) = ([pointer(kSecClass)], [pointer(kSecClassKey)])
    let made = CFDictionaryCreate(nil, &keys, &values, 1, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks)
    #expect(made as? [String: String] == ["class": "keys"])
    let array = ["x", "y"] as CFArray
    #expect(CFArrayGetCount(array) == 2)
    let growing = try #require(CFArrayCreateMutable(nil, 0, &kCFTypeArrayCallBacks))
    CFArrayAppendValue(growing, pointer(value))
    #expect(growing as? [String] == ["value"])
    #expect(CFSetContainsValue(Set(["key"]) as CFSet, pointer(key)) && CFSetGetCount(Set(["key"]) as CFSet) == 1)
    withExtendedLifetime((key, same, value)) {}
  }

  @Test func `an error says what is known of it`() throws {
    var error: Unmanaged<CFError>?
    #expect(SecAccessControlCreateWithFlags(nil, "no" as CFString, [], &error) == nil)
    let failure = try #require(error).takeRetainedValue()
    #expect(CFErrorGetDomain(failure) == kCFErrorDomainOSStatus && CFErrorGetCode(failure) == Int(errSecParam))
    let info = CFErrorCopyUserInfo(failure) as? [String: Any]
    #expect(info?[kCFErrorLocalizedDescriptionKey as String] as? String == CFErrorCopyDescription(failure) as String)
    #expect(CFErrorCopyFailureReason(failure) == nil)
    let made = try #require(
      CFErrorCreate(nil, kCFErrorDomainPOSIX, 2, [kCFErrorLocalizedFailureReasonKey as String: "r"] as CFDictionary))
    #expect(CFErrorCopyFailureReason(made) == "r" && (made as Error as NSError).domain == NSPOSIXErrorDomain)
    #expect(CFEqual(made, made) && !CFEqual(made, failure) && CFHash(made) == CFHash(made))
  }

  @Test func `strings and times`() {
    #expect(CFStringGetLength("\u{1F600}" as CFString) == 2)
    #expect(CFStringCreateWithCString(nil, "abc", CFStringBuiltInEncodings.UTF8.rawValue) == "abc")
    #expect(CFStringCreateWithBytes(nil, [0xFF], 1, CFStringBuiltInEncodings.UTF8.rawValue, false) == nil)
    let now = CFAbsoluteTimeGetCurrent()
    #expect(CFDateGetAbsoluteTime(CFDateCreate(nil, now)) == now)
    #expect(kCFBundleIdentifierKey == "CFBundleIdentifier" && CFBundleGetMainBundle() === Bundle.main)
    #expect(autoreleasepool { 3 } == 3)
  }

  @Test func `random bytes are those of the kernel`() {
    var one = [UInt8](repeating: 0, count: 1_000)
    var other = one
    #expect(SecRandomCopyBytes(kSecRandomDefault, one.count, &one) == errSecSuccess)
    #expect(SecRandomCopyBytes(nil, other.count, &other) == errSecSuccess)
    #expect(one != other && one[900...].contains { $0 != 0 })
    #expect(SecRandomCopyBytes(kSecRandomDefault, 0, &one) == errSecSuccess)
    #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &one) == errSecParam)
    let password = SecCreateSharedWebCredentialPassword() as String?
    #expect(password?.count == 15 && password?.split(separator: "-").count == 4)
  }

  @Test func `every result has words`() {
    for status in [-67585, -67808, -67904, -25240, -4960, -67061] as [OSStatus] {
      let words = SecCopyErrorMessageString(status, nil) as String?
      #expect(words?.hasPrefix("OSStatus") == false && words?.hasSuffix(".") == true, "\(status)")
    }
    #expect(errSecVerifyFailed == -67808 && SecCopyErrorMessageString(-67808, nil) as String? == "Verify failed.")
    #expect(errSecMissingQualifiedCertStatement == -67904 && errSecServiceNotAvailable == -67585)
    #expect(SecCopyErrorMessageString(-67905, nil) as String? == "OSStatus -67905")
    #expect(SecCopyErrorMessageString(.min, nil) as String? == "OSStatus \(OSStatus.min)")
  }
}
