/// The interfaces' names, and what each has, in introspection's words.
enum Words {
  static let properties = "org.freedesktop.DBus.Properties"
  static let service = "org.freedesktop.Secret.Service"
  static let collection = "org.freedesktop.Secret.Collection"
  static let item = "org.freedesktop.Secret.Item"
  static let session = "org.freedesktop.Secret.Session"
  static let prompt = "org.freedesktop.Secret.Prompt"
  static let collectionLabel = "org.freedesktop.Secret.Collection.Label"
  static let itemLabel = "org.freedesktop.Secret.Item.Label"
  static let itemAttributes = "org.freedesktop.Secret.Item.Attributes"

  static let head: StaticString = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
    "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node><interface name='org.freedesktop.DBus.Introspectable'><method name='Introspect'>\
    <arg type='s' name='xml_data' direction='out'/></method></interface>
    """

  static let propertiesWords: StaticString = """
    <interface name='org.freedesktop.DBus.Properties'>\
    <method name='Get'><arg type='s' name='interface' direction='in'/><arg type='s' name='property' direction='in'/>\
    <arg type='v' name='value' direction='out'/></method>\
    <method name='GetAll'><arg type='s' name='interface' direction='in'/><arg type='a{sv}' name='properties' direction='out'/></method>\
    <method name='Set'><arg type='s' name='interface' direction='in'/><arg type='s' name='property' direction='in'/>\
    <arg type='v' name='value' direction='in'/></method>\
    <signal name='PropertiesChanged'><arg type='s' name='interface'/><arg type='a{sv}' name='changed'/>\
    <arg type='as' name='invalidated'/></signal></interface>
    """

  static func words(of place: Place) -> StaticString {
    switch place {
    case .service: serviceWords
    case .collection: collectionWords
    case .item: itemWords
    case .session: "<interface name='org.freedesktop.Secret.Session'><method name='Close'/></interface>"
    case .prompt: promptWords
    case .folder: ""
    }
  }

  private static let serviceWords: StaticString = """
    <interface name='org.freedesktop.Secret.Service'>\
    <property name='Collections' type='ao' access='read'/>\
    <method name='OpenSession'><arg type='s' name='algorithm' direction='in'/><arg type='v' name='input' direction='in'/>\
    <arg type='v' name='output' direction='out'/><arg type='o' name='result' direction='out'/></method>\
    <method name='CreateCollection'><arg type='a{sv}' name='properties' direction='in'/><arg type='s' name='alias' direction='in'/>\
    <arg type='o' name='collection' direction='out'/><arg type='o' name='prompt' direction='out'/></method>\
    <method name='SearchItems'><arg type='a{ss}' name='attributes' direction='in'/>\
    <arg type='ao' name='unlocked' direction='out'/><arg type='ao' name='locked' direction='out'/></method>\
    <method name='Unlock'><arg type='ao' name='objects' direction='in'/><arg type='ao' name='unlocked' direction='out'/>\
    <arg type='o' name='prompt' direction='out'/></method>\
    <method name='Lock'><arg type='ao' name='objects' direction='in'/><arg type='ao' name='locked' direction='out'/>\
    <arg type='o' name='prompt' direction='out'/></method>\
    <method name='GetSecrets'><arg type='ao' name='items' direction='in'/><arg type='o' name='session' direction='in'/>\
    <arg type='a{o(oayays)}' name='secrets' direction='out'/></method>\
    <method name='ReadAlias'><arg type='s' name='name' direction='in'/><arg type='o' name='collection' direction='out'/></method>\
    <method name='SetAlias'><arg type='s' name='name' direction='in'/><arg type='o' name='collection' direction='in'/></method>\
    <signal name='CollectionCreated'><arg type='o' name='collection'/></signal>\
    <signal name='CollectionDeleted'><arg type='o' name='collection'/></signal>\
    <signal name='CollectionChanged'><arg type='o' name='collection'/></signal></interface>
    """

  private static let collectionWords: StaticString = """
    <interface name='org.freedesktop.Secret.Collection'>\
    <property name='Items' type='ao' access='read'/><property name='Label' type='s' access='readwrite'/>\
    <property name='Locked' type='b' access='read'/><property name='Created' type='t' access='read'/>\
    <property name='Modified' type='t' access='read'/>\
    <method name='Delete'><arg type='o' name='prompt' direction='out'/></method>\
    <method name='SearchItems'><arg type='a{ss}' name='attributes' direction='in'/><arg type='ao' name='results' direction='out'/>\
    </method>\
    <method name='CreateItem'><arg type='a{sv}' name='properties' direction='in'/><arg type='(oayays)' name='secret' direction='in'/>\
    <arg type='b' name='replace' direction='in'/><arg type='o' name='item' direction='out'/>\
    <arg type='o' name='prompt' direction='out'/></method>\
    <signal name='ItemCreated'><arg type='o' name='item'/></signal><signal name='ItemDeleted'><arg type='o' name='item'/></signal>\
    <signal name='ItemChanged'><arg type='o' name='item'/></signal></interface>
    """

  private static let itemWords: StaticString = """
    <interface name='org.freedesktop.Secret.Item'>\
    <property name='Locked' type='b' access='read'/><property name='Attributes' type='a{ss}' access='readwrite'/>\
    <property name='Label' type='s' access='readwrite'/><property name='Created' type='t' access='read'/>\
    <property name='Modified' type='t' access='read'/>\
    <method name='Delete'><arg type='o' name='prompt' direction='out'/></method>\
    <method name='GetSecret'><arg type='o' name='session' direction='in'/><arg type='(oayays)' name='secret' direction='out'/></method>\
    <method name='SetSecret'><arg type='(oayays)' name='secret' direction='in'/></method></interface>
    """

  private static let promptWords: StaticString = """
    <interface name='org.freedesktop.Secret.Prompt'>\
    <method name='Prompt'><arg type='s' name='window_id' direction='in'/></method><method name='Dismiss'/>\
    <signal name='Completed'><arg type='b' name='dismissed'/><arg type='v' name='result'/></signal></interface>
    """
}
