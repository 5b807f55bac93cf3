import Foundation
import Security
import Testing

/// Constants that no call takes: samples of each kind, from Apple's sources and headers.
@Suite struct OtherConstantsTests {
  @Test func `texts are Apple's`() {
    let texts: [(CFString, String)] = [
      (kSecOIDCommonName, "2.5.4.3"), (kSecOIDX509V1ValidityNotAfter, "2.16.840.1.113741.2.1.1.1.7"),
      (kSecPropertyKeyLocalizedLabel, "localized label"), (kSecPropertyTypeURL, "url"),
      (kSecPolicyAppleX509Basic, "1.2.840.113635.100.1.2"), (kSecPolicyName, "SecPolicyName"),
      (kSecPolicyKU_KeyCertSign, "CE_KU_KeyCertSign"), (kSecTrustRevocationValidUntilDate, "TrustExpirationDate"),
      (kSecImportExportPassphrase, "passphrase"), (kSecIdentityDomainKerberosKDC, "com.apple.kerberos.kdc"),
      (kSecACLAuthorizationKeychainItemRead, "ACLAuthorizationKeychainItemRead"),
      (kSecCFErrorResourceSideband, "SecCSResourceHasSidebandData"), (kSecGuestAttributeHash, "codedirectory-hash"),
      (kSecCodeAttributeUniversalFileOffset, "UniversalFileOffset"), (kSecCodeInfoTeamIdentifier, "teamid"),
      (kSecDigestSHA2, "SHA2 Digest Family"), (kSecTransformInputAttributeName, "INPUT"), (kSecPaddingOAEPKey, "OAEPPadding"),
    ]
    for (constant, text) in texts { #expect(constant as String == text) }
  }

  @Test func `numbers are Apple's`() {
    #expect(kSecRevocationUseAnyAvailableMethod == kSecRevocationOCSPMethod | kSecRevocationCRLMethod)
    #expect(kSecMatchBits == kSecUseOnlyUID | kSecUseOnlyGID && kSecHonorRoot == 256)
    #expect(kSecUnlockStateStatus | kSecReadPermStatus | kSecWritePermStatus == 7)
    #expect(kSecKeyUnwrap == 26 && kSecSubjectItemAttr == 0x7375_626A)
    #expect(kSecCSBasicValidateOnly == kSecCSDoNotValidateExecutable | kSecCSDoNotValidateResources)
    #expect(kSecCSSigningInformation == 2 && kSecCSFastExecutableValidation == 1 << 17 && kSecNoGuest == 0)
    #expect(kSecTransformErrorInvalidType == 8 && kSecTransformErrorInvalidInput == 10 && kSecTransformInvalidArgument == 21)
  }
}
