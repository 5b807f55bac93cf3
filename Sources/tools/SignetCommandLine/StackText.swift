import SignetLanguage
import SignetStackCheck

/// What `check-pam` found, for people: each fault once, with the services that it is in.
enum StackText {
  static func write(_ reports: [ServiceReport], _ folder: String) {
    if !reports.contains(where: \.hasSignet) {
      Report.complain(
        (folder == LoginStacks.system && reports.isEmpty ? LoginStacks().notice : nil)
          ?? say("No service of these in \(Printable.text(folder)) has pam_signet.so. To add it: pam-auth-update --enable signet")
      )
    }
    for line in lines(reports) { print(line) }
  }

  static func lines(_ reports: [ServiceReport]) -> [String] {
    var lines: [String] = []
    for (fault, services) in grouped(reports, \.faults) {
      lines += place(fault.place) + ["  \(Printable.text(fault.why))", "  " + say("Instead: \(Printable.text(fault.instead))")]
      lines += [self.services(services), ""]
    }
    for (remark, services) in grouped(reports, \.remarks) {
      lines += remark.place.map { place($0, say("remark:") + " ") } ?? [say("remark:")]
      lines += ["  \(Printable.text(remark.text))", self.services(services), ""]
    }
    return lines + reports.map(summary)
  }

  private static func services(_ names: [String]) -> String { "  " + say("In: \(Printable.text(names.joined(separator: ", ")))") }

  private static func place(_ place: FileLocation, _ prefix: String = "") -> [String] {
    ["\(prefix)\(Printable.text(place.file)):\(place.line):"] + (place.text.isEmpty ? [] : ["    \(Printable.text(place.text))"])
  }

  private static func summary(_ report: ServiceReport) -> String {
    let name = Printable.text(report.service)
    let runs = say(report.runs, one: "libpam ran it \(report.runs) times", other: "libpam ran it \(report.runs) times")
    if report.faults.isEmpty {
      if report.service == StackCheck.passcodeService {
        return say("\(name): asks for the passcode, and one question only (\(runs)).")
      }
      if StackCheck.servicesBesideOthers.contains(report.service) {
        return say("\(name): nobody comes in without a credential; another service asks for the passcode (\(runs)).")
      }
      return say("\(name): nobody comes in without a credential, and without a reader the passcode is asked (\(runs)).")
    }
    let faults = say(report.faults.count, one: "\(report.faults.count) fault", other: "\(report.faults.count) faults")
    return say("\(name): \(faults) (\(runs)).")
  }

  /// Each finding once, in the order in which they come.
  private static func grouped<Finding: Hashable>(
    _ reports: [ServiceReport], _ findings: (ServiceReport) -> [Finding]
  ) -> [(Finding, [String])] {
    var order: [Finding] = []
    var services: [Finding: [String]] = [:]
    for report in reports {
      for finding in findings(report) {
        if services[finding] == nil { order.append(finding) }
        services[finding, default: []].append(report.service)
      }
    }
    return order.map { ($0, services[$0] ?? []) }
  }
}

/// A service in JSON. signet-json(5) names the keys.
struct StackRecord: Encodable {
  var service: String
  var hasSignet: Bool
  var runs: Int
  var faults: [FindingRecord]
  var remarks: [FindingRecord]

  init(_ report: ServiceReport) {
    service = report.service
    hasSignet = report.hasSignet
    runs = report.runs
    faults = report.faults.map { FindingRecord($0.place, kind: $0.kind.rawValue, why: $0.why, instead: $0.instead) }
    remarks = report.remarks.map { FindingRecord($0.place, kind: nil, why: $0.text, instead: nil) }
  }
}

struct FindingRecord: Encodable {
  var file: String?
  var line: Int?
  var text: String?
  var kind: String?
  var why: String
  var instead: String?

  init(_ place: FileLocation?, kind: String?, why: String, instead: String?) {
    (file, line, text) = (place?.file, place?.line, place?.text)
    (self.kind, self.why, self.instead) = (kind, why, instead)
  }
}
