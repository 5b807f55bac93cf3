import SignetCoreFoundation

// What Apple's Security names of signed code, for programs that mention it. No call here takes or gives one. The texts and numbers are
// Apple's.

// What a result says more of.
public var kSecCFErrorArchitecture: CFString { "SecCSArchitecture" }
public var kSecCFErrorPattern: CFString { "SecCSPattern" }
public var kSecCFErrorResourceSeal: CFString { "SecCSResourceSeal" }
public var kSecCFErrorResourceAdded: CFString { "SecCSResourceAdded" }
public var kSecCFErrorResourceAltered: CFString { "SecCSResourceAltered" }
public var kSecCFErrorResourceMissing: CFString { "SecCSResourceMissing" }
public var kSecCFErrorResourceSideband: CFString { "SecCSResourceHasSidebandData" }
public var kSecCFErrorInfoPlist: CFString { "SecCSInfoPlist" }
public var kSecCFErrorGuestAttributes: CFString { "SecCSGuestAttributes" }
public var kSecCFErrorRequirementSyntax: CFString { "SecRequirementSyntax" }
public var kSecCFErrorPath: CFString { "SecComponentPath" }
public var kSecCFErrorResourceRecursive: CFString { "SecCSResourceRecursive" }

// Which program is meant, and which part of its file.
public var kSecGuestAttributeCanonical: CFString { "canonical" }
public var kSecGuestAttributeHash: CFString { "codedirectory-hash" }
public var kSecGuestAttributeMachPort: CFString { "mach-port" }
public var kSecGuestAttributePid: CFString { "pid" }
public var kSecGuestAttributeAudit: CFString { "audit" }
public var kSecGuestAttributeDynamicCode: CFString { "dynamicCode" }
public var kSecGuestAttributeDynamicCodeInfoPlist: CFString { "dynamicCodeInfoPlist" }
public var kSecGuestAttributeArchitecture: CFString { "architecture" }
public var kSecGuestAttributeSubarchitecture: CFString { "subarchitecture" }
public var kSecCodeAttributeArchitecture: CFString { "architecture" }
public var kSecCodeAttributeSubarchitecture: CFString { "subarchitecture" }
public var kSecCodeAttributeBundleVersion: CFString { "bundleversion" }
public var kSecCodeAttributeUniversalFileOffset: CFString { "UniversalFileOffset" }
public var kSecNoGuest: UInt32 { 0 }

// What is told of it.
public var kSecCodeInfoCertificates: CFString { "certificates" }
public var kSecCodeInfoChangedFiles: CFString { "changed-files" }
public var kSecCodeInfoCMS: CFString { "cms" }
public var kSecCodeInfoDesignatedRequirement: CFString { "designated-requirement" }
public var kSecCodeInfoEntitlements: CFString { "entitlements" }
public var kSecCodeInfoEntitlementsDict: CFString { "entitlements-dict" }
public var kSecCodeInfoFlags: CFString { "flags" }
public var kSecCodeInfoFormat: CFString { "format" }
public var kSecCodeInfoDigestAlgorithm: CFString { "digest-algorithm" }
public var kSecCodeInfoDigestAlgorithms: CFString { "digest-algorithms" }
public var kSecCodeInfoPlatformIdentifier: CFString { "platform-identifier" }
public var kSecCodeInfoIdentifier: CFString { "identifier" }
public var kSecCodeInfoImplicitDesignatedRequirement: CFString { "implicit-requirement" }
public var kSecCodeInfoMainExecutable: CFString { "main-executable" }
public var kSecCodeInfoPList: CFString { "info-plist" }
public var kSecCodeInfoRequirements: CFString { "requirements" }
public var kSecCodeInfoRequirementData: CFString { "requirement-data" }
public var kSecCodeInfoSource: CFString { "source" }
public var kSecCodeInfoStatus: CFString { "status" }
public var kSecCodeInfoTeamIdentifier: CFString { "teamid" }
public var kSecCodeInfoTime: CFString { "signing-time" }
public var kSecCodeInfoTimestamp: CFString { "signing-timestamp" }
public var kSecCodeInfoTrust: CFString { "trust" }
public var kSecCodeInfoUnique: CFString { "unique" }
public var kSecCodeInfoCdHashes: CFString { "cdhashes" }
public var kSecCodeInfoRuntimeVersion: CFString { "runtime-version" }

// What a call is to do, beside what all can.
public var kSecCSCheckAllArchitectures: UInt32 { 1 }
public var kSecCSDoNotValidateExecutable: UInt32 { 2 }
public var kSecCSDoNotValidateResources: UInt32 { 4 }
public var kSecCSBasicValidateOnly: UInt32 { 6 }
public var kSecCSCheckNestedCode: UInt32 { 8 }
public var kSecCSStrictValidate: UInt32 { 0x10 }
public var kSecCSFullReport: UInt32 { 0x20 }
public var kSecCSCheckGatekeeperArchitectures: UInt32 { 0x41 }
public var kSecCSRestrictSymlinks: UInt32 { 0x80 }
public var kSecCSRestrictToAppLike: UInt32 { 0x100 }
public var kSecCSRestrictSidebandData: UInt32 { 0x200 }
public var kSecCSUseSoftwareSigningCert: UInt32 { 0x400 }
public var kSecCSValidatePEH: UInt32 { 0x800 }
public var kSecCSSingleThreaded: UInt32 { 0x1000 }
public var kSecCSAllowNetworkAccess: UInt32 { 0x1_0000 }
public var kSecCSFastExecutableValidation: UInt32 { 0x2_0000 }
public var kSecCSUseAllArchitectures: UInt32 { 1 }
public var kSecCSInternalInformation: UInt32 { 1 }
public var kSecCSSigningInformation: UInt32 { 2 }
public var kSecCSRequirementInformation: UInt32 { 4 }
public var kSecCSDynamicInformation: UInt32 { 8 }
public var kSecCSContentInformation: UInt32 { 0x10 }
public var kSecCSSkipResourceDirectory: UInt32 { 0x20 }
public var kSecCSCalculateCMSDigest: UInt32 { 0x40 }
public var kSecCSDedicatedHost: UInt32 { 1 }
public var kSecCSGenerateGuestHash: UInt32 { 2 }
