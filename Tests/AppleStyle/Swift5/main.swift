// The program around the sources in the style of tutorials, which stand in `Both` as their authors would write them. A test
// starts it with the name of a scenario, and reads the lines that it prints.
import Foundation
import LocalAuthentication
import Security

let words = Array(CommandLine.arguments.dropFirst())
await run(words.first ?? "", Array(words.dropFirst()))
