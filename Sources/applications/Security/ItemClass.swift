import SignetVocabulary

/// The values of `kSecClass`, and which attributes items of a class have.
enum ItemClass: String {
  case genericPassword = "genp"
  case internetPassword = "inet"
  case certificate = "cert"
  case key = "keys"
  case identity = "idnt"

  private static let common: Set<String> = ["acct", "labl", "desc", "icmt", "crtr", "type", "invi", "nega"]
  private static let generic: Set<String> = ["svce", "gena"]
  private static let internet: Set<String> = ["srvr", "sdmn", "ptcl", "atyp", "port", "path"]
  private static let keys: Set<String> = [
    "kcls", "type", "bsiz", "esiz", "atag", "klbl", "perm", "sens", "extr", "encr", "decr", "drve", "sign", "vrfy", "wrap",
    "unwp", "tkid",
    "ctyp", "cenc", "subj", "issr", "slnr", "skid", "pkhh", "labl", "crtr",
  ]

  /// The attributes that a program may name and that are kept.
  var attributes: Set<String> {
    switch self {
    case .genericPassword: ItemClass.common.union(ItemClass.generic)
    case .internetPassword: ItemClass.common.union(ItemClass.internet)
    case .certificate, .key, .identity: ItemClass.keys
    }
  }

  /// What makes an item's name, by which there is one of each.
  var name: Set<String> {
    switch self {
    case .genericPassword: ["acct", "svce"]
    case .internetPassword: ItemClass.internet.union(["acct"])
    case .certificate, .key, .identity: []
    }
  }

  /// Whether items of this class are kept here.
  var isKept: Bool { isPassword || self == .key }
  var isPassword: Bool { kind(isSynchronizable: false) != nil }

  /// What the vault calls a password; `nil`: it is none.
  func kind(isSynchronizable: Bool) -> ItemName.Kind? {
    switch self {
    case .genericPassword: isSynchronizable ? .synchronizableItem : .item
    case .internetPassword: isSynchronizable ? .synchronizableInternetPassword : .internetPassword
    case .certificate, .key, .identity: nil
    }
  }

  init?(_ kind: ItemName.Kind) {
    switch kind {
    case .item, .synchronizableItem: self = .genericPassword
    case .internetPassword, .synchronizableInternetPassword: self = .internetPassword
    case .key, .programKey: self = .key
    case .loginSecret, .binding: return nil
    }
  }
}
