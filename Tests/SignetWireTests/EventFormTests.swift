import SignetTestKit
import SignetVocabulary
import Testing

@Suite struct EventFormTests {
  private static func form(_ kind: Event.Kind, code: UInt8 = 0, count: UInt32 = 0, detail: String = "") -> EventForm {
    EventForm(kind: kind, code: code, count: count, detail: detail)
  }

  @Test func `an event's parameters have their fields`() {
    let forms: [(Event, EventForm)] = [
      (.authenticated(.fingerprint, .leftThumb), EventFormTests.form(.authenticated, code: 1, detail: "left-thumb")),
      (.missed(strikes: 3), EventFormTests.form(.missed, count: 3)),
      (.wrongPasscode(count: 3, isCancelled: true), EventFormTests.form(.wrongPasscode, code: 1, count: 3)),
      (.released(.passcode, SessionName(0xABCD)), EventFormTests.form(.released, code: 2, detail: "0000abcd")),
      (.ended(Verdict(rawValue: 99)), EventFormTests.form(.ended, code: 99)),
      (.gap(12, .events), EventFormTests.form(.gap, code: 1, count: 12)),
      (.repeated(.refused, count: 100), EventFormTests.form(.repeated, code: 19, count: 100)),
    ]
    for (event, form) in forms {
      #expect(event.form == form)
      #expect(Event(form) == event)
    }
  }

  @Test func `a count that does not fit is the highest that does`() {
    #expect(Event.vaultReset(items: .max).form.count == .max)
    #expect(Event.missed(strikes: -1).form.count == 0)
  }

  @Test func `every kind has a sample, which its form gives back`() {
    for event in Event.samples { #expect(Event(event.form) == event) }
    #expect(Set(Event.samples.map(\.kind)) == Set(Event.Kind.allCases))
  }

  @Test(
    arguments: [
      form(.missed, code: 1), form(.missed, detail: "left-thumb"), form(.locked, code: 1, count: 1), form(.locked, code: 99),
      form(.passcodeVerified, count: 1), form(.wrongPasscode, code: 2, count: 1), form(.authenticated, code: 3),
      form(.authenticated, code: 1, detail: "sixth-finger"), form(.enrolled), form(.enrolled, detail: "left-thumb "),
      form(.sessionClosed, detail: "0123ABCD"), form(.sessionClosed, detail: "123abcd"), form(.sessionClosed, detail: "+123abcd"),
      form(.passkeyMade, detail: "0123ABCD"), form(.passkeyUsed, code: 9, detail: "0123abcd"), form(.sessionClosed, detail: ""),
      form(.refused, code: 0), form(.readerUnavailable, code: 99),
      form(.gap, code: 2, count: 1), form(.repeated, code: 0, count: 1),
      form(.vaultUnopened, code: 0), form(.itemStored, code: 2),
    ]) func `what no event says is refused`(form: EventForm)
  {
    #expect(Event(form) == nil)
  }
}
