import Glibc

/// A drawn finger on which libfprint's minutiae detection and matching really work. The same seed is the same finger;
/// its impressions differ by shift, turn, pressure and noise, as touches do.
///
/// Ridges are the crests of a wave. Its phase is a bent plane wave plus the angle around each minutia, which adds (or
/// takes away) exactly one ridge there: the model of Larkin and Fletcher, "A coherent framework for fingerprint analysis"
/// (2007). So minutiae are where we put them, and nowhere else.
public struct SyntheticFinger: Sendable {
  /// The pixels of an impression at 500 dots per inch, as large as a common touch reader's.
  public static let width = 224
  public static let height = 256

  private struct Minutia {
    var x: Double
    var y: Double
    /// Whether a ridge begins or ends there, seen along the wave.
    var isBeginning: Bool
  }

  private let seed: UInt64
  private let minutiae: [Minutia]
  /// Around where ridges bend, in pixels, and how much longer than wide their ovals are.
  private let centerX: Double
  private let centerY: Double
  private let aspect: Double
  private let cosine: Double
  private let sine: Double
  private let period: Double

  /// A finger with this many minutiae. Without a number it has so many that every impression shows enough of them to match.
  public init(seed: UInt64, minutiae count: Int = 56) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    centerX = random.within(-110, 110)
    centerY = random.within(-110, 110)
    aspect = random.within(0.5, 1)
    let lean = random.within(0, Double.pi)
    cosine = cos(lean)
    sine = sin(lean)
    period = random.within(8.6, 9.6)
    minutiae = SyntheticFinger.scatter(count, using: &random)
  }

  /// Minutiae over more than one impression shows, none nearer than two ridges to another; enough of them in the middle,
  /// which every impression shows.
  private static func scatter(_ count: Int, using random: inout SeededGenerator) -> [Minutia] {
    var result: [Minutia] = []
    for attempt in 0..<4000 {
      let isMiddle = result.count < 32
      if result.count == count { break }
      let x = isMiddle ? random.within(-90, 90) : random.within(-160, 160)
      let y = isMiddle ? random.within(-105, 105) : random.within(-180, 180)
      guard isMiddle || attempt > 3000 || abs(x) > 90 || abs(y) > 105 else { continue }
      guard result.allSatisfy({ hypot($0.x - x, $0.y - y) > 23 }) else { continue }
      result.append(Minutia(x: x, y: y, isBeginning: result.count % 2 == 0))
    }
    return result
  }

  /// A touch of this finger; the same number is the same picture.
  public func impression(_ number: Int) -> PrintImage {
    var random = SeededGenerator(seed: seed, number: UInt64(number) + 1)
    let turn = random.within(-0.14, 0.14)
    let shiftX = random.within(-14, 14)
    let shiftY = random.within(-14, 14)
    let pressure = random.within(-0.25, 0.25)
    let (cosine, sine) = (cos(turn), sin(turn))
    let (width, height) = (SyntheticFinger.width, SyntheticFinger.height)
    return PrintImage(
      width: width, height: height,
      pixels: [UInt8](unsafeUninitializedCapacity: width * height) { pixels, count in
        for row in 0..<height {
          for column in 0..<width {
            let (x, y) = (Double(column - width / 2), Double(row - height / 2))
            let crest = wave(x * cosine - y * sine + shiftX, x * sine + y * cosine + shiftY)
            let ink = 1 / (1 + exp(-5 * (crest + pressure))) + random.within(-0.14, 0.14)
            pixels[row * width + column] = UInt8(max(0, min(255, 235 - 215 * ink)))
          }
        }
        count = width * height
      })
  }

  /// The wave at a place on the finger, -1 in valleys to 1 on ridges.
  private func wave(_ x: Double, _ y: Double) -> Double {
    let (right, down) = (x - centerX, y - centerY)
    let (along, across) = (right * cosine + down * sine, down * cosine - right * sine)
    let phase = 2 * Double.pi * hypot(along, across * aspect) / period
    // A product of unit vectors is a sum of angles, without an arcus tangens each.
    var (real, imaginary) = (cos(phase), sin(phase))
    for minutia in minutiae {
      let dx = x - minutia.x
      let dy = minutia.isBeginning ? y - minutia.y : minutia.y - y
      (real, imaginary) = (real * dx - imaginary * dy, real * dy + imaginary * dx)
      let length = max(abs(real), abs(imaginary))
      if length > 1e100 {
        real /= length
        imaginary /= length
      }
    }
    let length = hypot(real, imaginary)
    return length > 0 ? real / length : 0
  }
}
