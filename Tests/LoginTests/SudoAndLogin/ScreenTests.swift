import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What somebody sees of an enrolment. signetd's part is played, so that each screen stands still.
extension `Debian's sudo and login` {
  /// A terminal, and how it looks at the first touch, after a poor scan, and after a good one.
  struct Look: Sendable, CustomTestStringConvertible {
    let locale: String
    let columns: Int
    let touch, poor, good: [String]
    let end: String
    var testDescription: String { "\(locale), \(columns) columns" }

    static func english(_ columns: Int, touch: [String], poor: [String], good: [String]) -> Look {
      Look(locale: "C", columns: columns, touch: touch, poor: poor, good: good, end: "Enrolled right-index-finger.")
    }

    static func korean(_ columns: Int, touch: [String], poor: [String], good: [String]) -> Look {
      Look(locale: "ko_KR", columns: columns, touch: touch, poor: poor, good: good, end: "오른손 집게손가락 지문을 등록했습니다.")
    }
  }

  static let looks: [Look] = [
    .english(
      80, touch: ["Enrolling right-index-finger: Touch the fingerprint reader"],
      poor: [
        "Enrolling right-index-finger: [####----------------] 1 of 5", "Scan again: put the middle of the finger on the reader",
      ],
      good: ["Enrolling right-index-finger: [########------------] 2 of 5", "Lift the finger, then put it on again"]),
    .english(
      60, touch: ["Enrolling right-index-finger: Touch the fingerprint reader"],
      poor: [
        "Enrolling right-index-finger: [####----------------] 1 of 5", "Scan again: put the middle of the finger on the reader",
      ],
      good: ["Enrolling right-index-finger: [########------------] 2 of 5", "Lift the finger, then put it on again"]),
    .english(
      40, touch: ["Enrolling right-index-finger: Touch the", "fingerprint reader"],
      poor: [
        "Enrolling right-index-finger:", "[####----------------] 1 of 5", "Scan again: put the middle of the",
        "finger on the reader",
      ],
      good: ["Enrolling right-index-finger:", "[########------------] 2 of 5", "Lift the finger, then put it on again"]),
    .korean(
      80, touch: ["오른손 집게손가락 지문을 등록하는 중: 지문 인식기에 손가락을 대십시오"],
      poor: ["오른손 집게손가락 지문을 등록하는 중: [####----------------] 1/5", "다시 스캔하십시오: 손가락 가운데를 인식기에 대십시오"],
      good: ["오른손 집게손가락 지문을 등록하는 중: [########------------] 2/5", "손가락을 뗐다가 다시 대십시오"]),
    .korean(
      60, touch: ["오른손 집게손가락 지문을 등록하는 중: 지문 인식기에", "손가락을 대십시오"],
      poor: ["오른손 집게손가락 지문을 등록하는 중:", "[####----------------] 1/5", "다시 스캔하십시오: 손가락 가운데를 인식기에 대십시오"],
      good: ["오른손 집게손가락 지문을 등록하는 중:", "[########------------] 2/5", "손가락을 뗐다가 다시 대십시오"]),
    .korean(
      40, touch: ["오른손 집게손가락 지문을 등록하는 중:", "지문 인식기에 손가락을 대십시오"],
      poor: [
        "오른손 집게손가락 지문을 등록하는 중:", "[####----------------] 1/5", "다시 스캔하십시오: 손가락 가운데를", "인식기에 대십시오",
      ],
      good: ["오른손 집게손가락 지문을 등록하는 중:", "[########------------] 2/5", "손가락을 뗐다가 다시 대십시오"]),
  ]

  /// One enrolment on a terminal that had a line before, and empty ones above it: a terminal that becomes narrower scrolls.
  private struct Enrolment {
    let screen: SeenScreen
    let daemon: ScriptedDaemon
    /// After the first touch is asked for, after a poor scan, and after a good one.
    let gates = [Gate(), Gate(), Gate()]

    init(_ world: World, _ locale: String, columns: Int) throws {
      daemon = try ScriptedDaemon(
        [.expect(.vaultList), Self.reply(.done)],
        [
          .expect(.enroll), Self.reply(.show(.touchReader, value: 0, detail: "")), .until(gates[0]),
          Self.reply(.enrollStage(completed: 1, of: 5, retry: .centerFinger)), .until(gates[1]),
          Self.reply(.enrollStage(completed: 2, of: 5, retry: nil)), .until(gates[2]), Self.reply(.done),
        ])
      let lines = "printf '\\n\\n\\n\\n\\n\\nbefore\\n'"
      let command = "\(lines); exec /usr/local/bin/signet enroll right-index-finger --socket \(daemon.path)"
      screen = try SeenScreen(world.inside(["env", "LC_ALL=\(locale).UTF-8", "sh", "-c", command]), columns: columns)
    }

    /// Waits until this stands below the line before.
    func await(_ expected: [String]) throws {
      var seen: [String] = []
      try wait(for: "\(expected), and not \(seen),") {
        seen = Array(try screen.rows().drop { $0.isEmpty })
        return seen == ["before"] + expected
      }
    }

    private static func reply(_ reply: AdministrationReply) -> ScriptedDaemon.Step {
      .send(Packet.bytes { try reply.write(into: &$0) })
    }
  }

  @Test func `guidance while a finger is enrolled is whole at any width, and takes the place of what was there`() throws {
    let world = try World()
    for look in Self.looks {
      let enrolment = try Enrolment(world, look.locale, columns: look.columns)
      try enrolment.await(look.touch)
      enrolment.gates[0].open()
      try enrolment.await(look.poor)
      enrolment.gates[1].open()
      try enrolment.await(look.good)
      enrolment.gates[2].open()
      try enrolment.await(look.good + [look.end])
      try enrolment.daemon.finish()
    }
  }

  /// Each to each: where it becomes narrower the terminal has broken rows, where it becomes wider it has joined them again.
  @Test func `a terminal that changes its width has no line twice, and loses none`() throws {
    let world = try World()
    for looks in [Self.looks.prefix(3), Self.looks.suffix(3)] {
      for before in looks {
        for after in looks where after.columns != before.columns {
          let enrolment = try Enrolment(world, before.locale, columns: before.columns)
          enrolment.gates[0].open()
          try enrolment.await(before.poor)
          try enrolment.screen.resize(columns: after.columns)
          enrolment.gates[1].open()
          try enrolment.await(after.good)
          enrolment.gates[2].open()
          try enrolment.await(after.good + [after.end])
        }
      }
    }
  }
}
