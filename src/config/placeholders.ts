// Placeholders in the texts of a project's files: `${NAME}`, for a value of the project or of the environment.
import { ownValue } from '../base/record.ts'
import { FromEnvironment } from '../model/value.ts'
import { textChecksum } from './records.ts'

const placeholder = /\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Says whether a text has a placeholder. */
export function hasPlaceholder(text: string): boolean {
  return [...text.matchAll(placeholder)].some(([whole]) => !whole.startsWith('$$'))
}

/** Writes a text so that nothing in it is taken for a placeholder. */
export function withoutPlaceholders(text: string): string {
  return text.replace(/\$(?=\{[A-Za-z_])/g, '$$$$')
}

/** Replaces the placeholders of a text; `$${NAME}` is the text `${NAME}`. */
export function replacePlaceholders(text: string, read: (name: string) => string): string {
  return text.replace(placeholder, (found, name: string) => (found.startsWith('$$') ? found.slice(1) : read(name)))
}

/** A placeholder without a value; its message is the name. */
export class MissingValue extends Error {}

/** Replaces the placeholders of a text; `used` receives the checksums of the values of the environment. */
export function substitutedIn(
  text: string,
  values: Record<string, unknown>,
  env: Readonly<Record<string, string | undefined>>,
  used: Map<string, string>,
): unknown {
  if (!text.includes('${')) return text
  const whole = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(text)?.[1]
  if (whole !== undefined && Object.hasOwn(values, whole) && typeof values[whole] !== 'object') return values[whole]
  const keptFor = (name: string) => {
    const kept = ownValue(values, name)
    return ['string', 'number', 'boolean'].includes(typeof kept) ? String(kept as string) : undefined
  }
  let isOfEnvironment = false
  const value = replacePlaceholders(text, (name) => {
    const kept = keptFor(name)
    if (kept !== undefined) return kept
    const given = ownValue(env, name)
    // Whoever writes a file must not have promo send its keys.
    if (given === undefined || name.startsWith('PROMO_')) throw new MissingValue(name)
    isOfEnvironment = true
    used.set(name, textChecksum(given))
    return given
  })
  if (!isOfEnvironment) return value
  // A plan keeps the placeholders of the environment, and nothing else that looks like one.
  const inPlan = text.replace(placeholder, (found, name: string) => {
    const kept = found.startsWith('$$') ? undefined : keptFor(name)
    return kept === undefined ? found : withoutPlaceholders(kept)
  })
  return new FromEnvironment(inPlan, value)
}
