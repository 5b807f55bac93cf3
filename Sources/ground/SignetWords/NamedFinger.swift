#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

/// What a prompt calls the finger that it wants, by its number (`Finger`): empty where there is no such number.
//
// One literal each, for the module: see `PromptText.scanAgain`.
@inline(__always)
func namedFinger(_ number: UInt8) -> TextLine {
  var name = TextLine()
  switch number {
  case 1: name.say("left thumb")
  case 2: name.say("left index finger")
  case 3: name.say("left middle finger")
  case 4: name.say("left ring finger")
  case 5: name.say("left little finger")
  case 6: name.say("right thumb")
  case 7: name.say("right index finger")
  case 8: name.say("right middle finger")
  case 9: name.say("right ring finger")
  case 10: name.say("right little finger")
  default: break
  }
  return name
}
