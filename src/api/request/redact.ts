// The parts of a request that may be shown: by --verbose, by --dry-run and in errors.
import { hidden } from '../../contract/secret-names.ts'
import type { Credentials } from '../connection.ts'

const plainHeaders = ['accept', 'accept-encoding', 'content-type', 'origin', 'user-agent', 'x-voucherify-api-version']

/** Returns the headers, with their values where those are harmless; of the application id the first four characters. */
export function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(headers).map(([name, value]) => {
    const known = name.toLowerCase()
    if (known === 'x-app-id' && value.length > 4) return [name, `${value.slice(0, 4)}…`]
    return [name, plainHeaders.includes(known) ? value : hidden]
  })
  return Object.fromEntries(shown)
}

const plainReplyHeaders =
  /^(?:cache-control|content-(?:encoding|length|type)|date|etag|retry-after|vary|x-(?:rate-limit-.+|request-id))$/

/** Returns the headers of an answer as `name: value`, with their values where those are harmless. */
export function shownReplyHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  return Object.entries(headers).map(([name, value]) => {
    const isPlain = plainReplyHeaders.test(name.toLowerCase())
    return `${name}: ${isPlain ? [value].flat().join(', ') : hidden}`
  })
}

/**
 * Returns a function that removes secrets from a text, in case the other side echoes one.
 *
 * Removes the client's own credentials and the given others in upper or lower case (a host name with a token in it
 * arrives in lower case): as they are, percent-encoded once or more, escaped as in JSON, in hexadecimal, and in both
 * alphabets of Base64, also as a part of what was encoded.
 */
export function scrubberFor(
  { application, management, client, accessToken }: Credentials,
  others: readonly string[] = [],
): (text: string) => string {
  const pairs = [application, management, client]
  const secrets = [...pairs.map((pair) => pair?.token), accessToken, ...pairs.map((pair) => pair?.id), ...others]
    .filter((secret) => secret !== undefined)
    // Shorter values are too weak to be secrets, and would remove parts of ordinary words.
    .filter((secret) => secret.length >= 6)
    // Of two that begin alike, the longer one is removed whole.
    .toSorted((one, other) => other.length - one.length)
  if (secrets.length === 0) return (text) => text
  let mayHold: ((text: string) => boolean) | undefined
  let anyOfThem: RegExp | undefined
  return (text) => {
    mayHold ??= lookFor(secrets)
    if (!mayHold(text)) return text
    anyOfThem ??= anyOf(secrets)
    return text.replace(anyOfThem, hidden)
  }
}

/**
 * Returns a function that says whether a text may have one of the secrets in any of its forms, without the expression of all
 * forms, which takes milliseconds to make: most runs show none.
 */
function lookFor(secrets: readonly string[]): (text: string) => boolean {
  const plain = secrets.flatMap((secret) => [secret.toLowerCase(), Buffer.from(secret).toString('hex')])
  const encoded = secrets.flatMap((secret) => base64Of(secret).map(({ own }) => own.toLowerCase()))
  return (text) => {
    // A sign of an encoding that the expression knows, or a letter beyond ASCII, of which some are equal to one of ASCII.
    if (/%[\dA-Fa-f]|\\|(?![A-Za-z])\p{L}/u.test(text)) return true
    const lower = text.toLowerCase()
    const standard = lower.replaceAll('-', '+').replaceAll('_', '/')
    return plain.some((form) => lower.includes(form)) || encoded.some((form) => standard.includes(form))
  }
}

/** Made when a text may have one. */
function anyOf(secrets: readonly string[]): RegExp {
  const forms = secrets.flatMap((secret) => [
    inAnyForm(secret),
    Buffer.from(secret).toString('hex'),
    ...inBase64(secret),
  ])
  return new RegExp(forms.join('|'), 'giu')
}

/** Matches the secret in any form but Base64; forms may be mixed, as encoders leave some characters as they are. */
function inAnyForm(secret: string): string {
  // Backslashes are taken together with the character after them: if each could also be the escape of the next, a text
  // of many backslashes would take exponential time.
  return Array.from(secret.matchAll(/(\\*)([^\\]|$)/gu), ([, { length } = '', character = '']) => {
    const run = `\\\\{${length},${4 * length + 4}}`
    const encoded = `(?:(?:%(?:25){0,3}5c){${length}}|(?:\\\\{1,4}u005c){${length}})\\\\{0,4}`
    return `${length === 0 ? run : `(?:${encoded}|${run})`}${character === '' ? '' : formsOf(character)}`
  }).join('')
}

function formsOf(character: string): string {
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'))
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16))
  const plain = /[A-Za-z0-9]/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`
  const percent = bytes.map((byte) => `%(?:25){0,3}${byte}`).join('')
  const escaped = units.map((unit) => `u${unit.padStart(4, '0')}`).join('\\\\{1,4}')
  return `(?:${percent}|${escaped}|${plain})`
}

/** The characters of Base64 that depend on nothing but the secret, wherever it begins in a group of three bytes. */
function base64Of(secret: string): { own: string; isWhole: boolean }[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const isWhole = (before + bytes.length) % 3 === 0
    return { own: text.slice([0, 2, 3][before], isWhole ? undefined : -1), isWhole }
  })
}

function inBase64(secret: string): string[] {
  return base64Of(secret).map(({ own, isWhole }) => {
    const shared = isWhole ? '' : '(?:[\\w+/-]={0,2})?'
    return own.replaceAll('+', '(?:\\+|-|%2b)').replaceAll('/', '(?:\\\\{0,4}/|_|%2f)') + shared
  })
}
