import SignetClient
import Testing

/// Which words of sudo's make it ask in a way of its own.
@Suite struct SudoWordsTests {
  private func wantOwnPrompt(_ line: String) -> Bool {
    let words = line.split(separator: " ").map(String.init)
    return SudoWords.wantOwnPrompt(Array(words.flatMap { Array($0.utf8) + [0] }).span)
  }

  @Test(arguments: [
    "sudo id", "sudo -u root id -S", "sudo -uroot id", "sudo -g wheel -h host id", "sudo -k", "sudo -i", "sudo --user root id -n",
    "sudo --user=root -- -S", "sudo LANG=C id -A", "sudo -EH -C 5 id", "sudo --chdir / -s", "sudoedit file", "sudo -unS id",
    "sudo --preserve-env=A id",
  ])
  func `sudo asks as usual`(line: String) { #expect(!wantOwnPrompt(line)) }

  @Test(arguments: [
    "sudo -S id", "sudo -A id", "sudo -n id", "sudo -p prompt id", "sudo -pword id", "sudo -B id", "sudo -kS id",
    "sudo -u root -S id", "sudo --stdin id", "sudo --askpass id", "sudo --non-interactive id", "sudo --no id",
    "sudo --prompt=x id",
    "sudo --bell id", "sudo LANG=C -S id", "sudo --user root --std id", "",
  ])
  func `sudo asks in its own way`(line: String) { #expect(wantOwnPrompt(line)) }

  @Test func `words that were cut off do no harm`() {
    let words = Array("sudo\0-u\0root\0-S".utf8)
    for count in 0...words.count { _ = SudoWords.wantOwnPrompt(words.span.extracting(first: count)) }
    let isWhole = SudoWords.wantOwnPrompt(words.span)
    #expect(isWhole)
  }
}
