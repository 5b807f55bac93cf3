/// The form of a sentence for a number. English has two forms; a language with more of them needs them here alone.
func plural(_ count: Int, one: String, other: String) -> String { count == 1 ? one : other }
