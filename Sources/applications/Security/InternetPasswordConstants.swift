import SignetCoreFoundation

// The values of `kSecAttrProtocol` and `kSecAttrAuthenticationType`. The texts are Apple's.

/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolIRC: CFString = "irc "
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolNNTP: CFString = "nntp"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolPOP3: CFString = "pop3"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolSOCKS: CFString = "sox "
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolLDAP: CFString = "ldap"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolTelnet: CFString = "teln"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolSMB: CFString = "smb "
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolIPP: CFString = "ipp "
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolNNTPS: CFString = "ntps"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolLDAPS: CFString = "ldps"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolTelnetS: CFString = "tels"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolIRCS: CFString = "ircs"
/// A value of `kSecAttrProtocol`.
public nonisolated(unsafe) let kSecAttrProtocolPOP3S: CFString = "pops"

/// A value of `kSecAttrAuthenticationType`.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// A value of `kSecAttrAuthenticationType`.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// A value of `kSecAttrAuthenticationType`.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// A value of `kSecAttrAuthenticationType`.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
/// A value of `kSecAttrAuthenticationType`.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// A value of `kSecAttrAuthenticationType`.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// A value of `kSecAttrAuthenticationType`.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// A value of `kSecAttrAuthenticationType`.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
