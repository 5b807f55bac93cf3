import Glibc
import SignetTestKit
import Testing

/// Programs as Debian has them, which know nothing of Signet.
@Suite(.enabled(if: SecretsWorld.isAvailable, "needs dbus-daemon, python3-gi and secret-tool, which `make deps` installs"))
struct SecretToolTests {
  private let world: SecretsWorld

  init() throws { world = try SecretsWorld() }

  @Test func `a secret is stored, found by its attributes, and cleared, and nobody is asked`() throws {
    #expect(try world.store("hunter 2", "service", "mail", "user", "alice") == 0)
    #expect(try world.store("other", "service", "mail", "user", "bob") == 0)
    #expect(try world.tool("lookup", "user", "alice").text == "hunter 2")
    #expect(try world.tool("lookup", "service", "mail", "user", "carol").status == 1)
    let found = try world.tool("search", "--all", "service", "mail").text
    for word in ["label = mail", "secret = hunter 2", "secret = other", "attribute.user = alice"] {
      #expect(found.contains(word), "\(found)")
    }
    #expect(try world.tool("clear", "user", "alice").status == 0)
    #expect(try world.tool("lookup", "user", "alice").status == 1)
    #expect(try world.tool("lookup", "user", "bob").text == "other")
    #expect(world.prompts == 0)
  }

  @Test func `a secret that is stored again takes the place of the older one`() throws {
    #expect(try world.store("old", "user", "alice") == 0)
    #expect(try world.store("new", label: "again", "user", "alice") == 0)
    let found = try world.tool("search", "--all", "user", "alice").text
    #expect(found.contains("secret = new") && found.contains("label = again") && !found.contains("old"), "\(found)")
  }

  @Test func `what is locked is found again after a touch`() throws {
    #expect(try world.store("hunter 2", "user", "alice") == 0)
    try world.lock()
    // It finds it, and asks for nothing.
    #expect(try !world.tool("search", "user", "alice").text.contains("hunter 2"))
    #expect(world.prompts == 0)
    let found = try world.tool("lookup", "user", "alice") { try world.touch() }
    #expect(found.text == "hunter 2" && found.status == 0)
    #expect(try world.tool("lookup", "user", "alice").text == "hunter 2")
    #expect(world.prompts == 1)
  }

  @Test func `a miss opens nothing, and the next touch does`() throws {
    #expect(try world.store("hunter 2", "user", "alice") == 0)
    try world.lock()
    let found = try world.tool("lookup", "user", "alice") {
      try world.touch("wrong")
      try world.awaitShown("show 2")
      try world.scene.reader.scan("right")
    }
    #expect(found.text == "hunter 2")
  }

  @Test func `a closed vault takes the passcode`() throws {
    #expect(try world.store("hunter 2", "user", "alice") == 0)
    try world.closeVault()
    let found = try world.tool("lookup", "user", "alice")
    #expect(found.text == "hunter 2" && found.status == 0)
    try world.awaitShown("ask ")
  }

  @Test func `secrets are there after signetd and signet-secrets were killed`() throws {
    #expect(try world.store("hunter 2", "user", "alice") == 0)
    let client = try world.client()
    try world.scene.restart()
    // The key of the vault went with it.
    #expect(try world.tool("lookup", "user", "alice").text == "hunter 2")
    kill(try client.pid(), SIGKILL)
    #expect(try world.tool("lookup", "user", "alice").text == "hunter 2")
  }

  @Test func `python's secretstorage finds, changes and deletes what it stored, by a session with a cipher`() throws {
    let script = """
      import secretstorage
      bus = secretstorage.dbus_init()
      first = secretstorage.get_default_collection(bus)
      item = first.create_item('first', {'application': 'test', 'x': 'ä'}, b'one', content_type='data/null')
      found, = secretstorage.search_items(bus, {'x': 'ä'})
      assert found == item and found.get_secret() == b'one' and found.get_secret_content_type() == 'data/null'
      item.set_secret(b'')
      item.set_label('second')
      item.set_attributes({'y': '2'})
      found, = first.search_items({'y': '2'})
      assert (found.get_label(), found.get_secret(), found.get_attributes()) == ('second', b'', {'y': '2'})
      assert found.get_secret_content_type() == 'text/plain' and not list(first.search_items({'x': 'ä'}))
      more = secretstorage.create_collection(bus, 'Work', alias='work')
      assert more.get_label() == 'Work' and secretstorage.collection.Collection(bus, '/org/freedesktop/secrets/aliases/work').get_label() == 'Work'
      more.set_label('Play')
      other = more.create_item('third', {'y': '2'}, b'three')
      assert len(list(secretstorage.search_items(bus, {'y': '2'}))) == 2
      more.delete()
      assert [c.get_label() for c in secretstorage.get_all_collections(bus)] == ['Login']
      item.delete()
      assert not list(first.get_all_items())
      print('all of it')
      """
    #expect(try world.run(["/usr/bin/python3", "-c", script]).text == "all of it\n")
  }

  @Test func `msmtp sends mail with the password that is kept`() throws {
    #expect(try world.store("hunter 2", "host", "127.0.0.1", "service", "smtp", "user", "alice") == 0)
    let server = """
      import base64, socket, subprocess, sys
      server = socket.create_server(('127.0.0.1', 0))
      client = subprocess.Popen(['msmtp', '--host=127.0.0.1', f'--port={server.getsockname()[1]}', '--auth=plain', '--user=alice',
                                 '--tls=off', '--from=a@example.org', 'b@example.org'], stdin=subprocess.PIPE)
      client.stdin.write(b'Subject: x\\n\\nx\\n')
      client.stdin.close()
      talk = server.accept()[0].makefile('rwb')
      say = lambda line: (talk.write(line + b'\\r\\n'), talk.flush())
      say(b'220 here')
      while True:
          line = talk.readline().strip()
          word = line.split(b' ')[0].upper()
          if word == b'EHLO': say(b'250-here'), say(b'250 AUTH PLAIN')
          elif word == b'AUTH': print(base64.b64decode(line.split(b' ')[2])), say(b'235 yes')
          elif word == b'QUIT': say(b'221 bye'); break
          elif word == b'DATA':
              say(b'354 go')
              while talk.readline().strip() != b'.': pass
              say(b'250 sent')
          else: say(b'250 ok')
      sys.exit(client.wait())
      """
    let sent = try world.run(["/usr/bin/python3", "-c", server])
    #expect(sent.text == "b'\\x00alice\\x00hunter 2'\n" && sent.status == 0)
  }
}
