// Words of a command line in messages, which end up in logs.

/** Ids of the service, which are as long as its secrets. */
const id = /^(?:camp|cat|cust|ord|prod|promo|pub|rr?f?|rew|seg|sku|v|val)_[\da-f]{17,24}$/

/** The name of a flag, however long: secrets are no words with dashes between them. */
const flagName = /^--[a-z]{1,14}(?:-[a-z]{1,14})+$/

/**
 * Says whether a word that was typed may be repeated in a message: what looks like a secret may not, nor an address with a user name or
 * a password in it. The value of a flag is judged without its name.
 */
export function mayBeShown(word: string): boolean {
  const value = word.replace(/^--?[\w-]+=/, '')
  if (id.test(value) || flagName.test(value)) return true
  return !/^[\w-]{20,}$/.test(value) && !/:\/\/[^/?#]*@/.test(value)
}

/** Returns a word in quotation marks, or why it is not there. */
export function shownWord(word: string): string {
  return mayBeShown(word) ? `"${word}"` : '(not repeated here: it looks like a secret)'
}
