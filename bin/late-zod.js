// In the bundle this takes the place of zod for promo's own modules: a schema is made when something looks at it. Most runs declare
// many schemas and look at none, and zod takes longer to load than their commands run. What an answer usually is fits without zod.

/**
 * What stands for a schema: how it is made, and what certainly fits it; where `fits` says no, zod has to say why. What is `seen` of it
 * is known before it is made.
 * @typedef {{ make: () => any, fits?: ((value: any) => boolean) | undefined, seen?: Record<string, any> | undefined }} Late
 */

/** @type {WeakMap<object, Late>} */
const known = new WeakMap()

/** @type {(one: any) => Late['fits']} */
const fitsOf = (one) => known.get(one)?.fits

/** @type {Record<string, (...given: any[]) => Late['fits']>} */
const fitting = {
  string: () => (value) => typeof value === 'string',
  boolean: () => (value) => typeof value === 'boolean',
  int: () => Number.isSafeInteger,
  undefined: () => (value) => value === undefined,
  literal: (only) => (typeof only === 'object' ? undefined : (value) => value === only),
  looseObject: (shape) => fitsMembers(shape),
  array: (item) => {
    const fits = fitsOf(item)
    return fits && ((value) => Array.isArray(value) && value.every(fits))
  },
}

/** The same of a schema that is changed. @type {Record<string, (fits: (value: any) => boolean, ...given: any[]) => Late['fits']>} */
const changed = {
  optional: (fits) => (value) => value === undefined || fits(value),
  nullable: (fits) => (value) => value === null || fits(value),
  nullish: (fits) => (value) => value == null || fits(value),
  extend: (fits, shape) => {
    const fitsMore = fitsMembers(shape)
    return fitsMore && ((value) => fits(value) && fitsMore(value))
  },
}

/** What makes a schema of a schema; everything else that is asked for is a look at it. */
const changes = new Set(
  'array catchall default describe extend int max meta min nullable nullish omit optional or partial pick pipe positive refine regex superRefine transform'.split(
    ' ',
  ),
)

/**
 * @param {Record<string, any>} shape
 * @returns {Late['fits']}
 */
function fitsMembers(shape) {
  const members = Object.entries(shape).map(([name, one]) => /** @type {const} */ ([name, fitsOf(one)]))
  if (members.some(([, fits]) => fits === undefined)) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    for (const [name, fits] of members) if (fits?.(value[name]) !== true) return false
    return true
  }
}

/**
 * Returns the schemas themselves in place of what stands for them: zod looks at its parts for every value.
 * @param {any} part
 * @returns {any}
 */
function made(part) {
  if (typeof part !== 'object' || part === null) return part
  const late = known.get(part)
  if (late !== undefined) return late.make()
  if (Array.isArray(part)) return part.map(made)
  if (Object.getPrototypeOf(part) !== Object.prototype) return part
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, made(one)]))
}

/**
 * What is seen of an object that is changed.
 * @param {string} name
 * @param {Record<string, any> | undefined} shape
 * @param {Record<string, any> | undefined} given
 */
function seenAfter(name, shape, given) {
  if (shape === undefined || !/^(?:extend|pick|omit)$/.test(name)) return undefined
  if (name === 'extend') return { shape: { ...shape, ...given } }
  const isKept = (/** @type {string} */ member) => Object.hasOwn(given ?? {}, member) === (name === 'pick')
  return { shape: Object.fromEntries(Object.entries(shape).filter(([member]) => isKept(member))) }
}

/** Returns what stands for a schema until it is looked at. @param {Late} one */
function late({ make, fits, seen }) {
  /** @type {any} */
  let schema
  /** @type {any} */
  let shape
  const own = () => {
    schema ??= make()
    return schema
  }
  const parsed = (/** @type {any} */ value) => (fits?.(value) ? { success: true, data: value } : own().safeParse(value))
  const get = (/** @type {unknown} */ _, /** @type {string | symbol} */ name) => {
    if (name === 'safeParse') return parsed
    if (seen && Object.hasOwn(seen, name)) return seen[String(name)]
    if (changes.has(String(name)))
      return (/** @type {any[]} */ ...given) =>
        late({
          make: () => own()[name](...given.map(made)),
          fits: fits && changed[String(name)]?.(fits, ...given),
          seen:
            seenAfter(String(name), seen?.shape, given[0]) ??
            (/^(?:optional|nullable)$/.test(String(name)) ? { unwrap: () => standing } : undefined),
        })
    // What these lead to is changed like any other schema.
    if (name === 'unwrap') return () => late({ make: () => own().unwrap() })
    if (name === 'shape') {
      shape ??= Object.fromEntries(
        Object.entries(own().shape).map(([member, one]) => [member, late({ make: () => one })]),
      )
      return shape
    }
    const value = own()[name]
    return typeof value === 'function' ? value.bind(schema) : value
  }
  const standing = new Proxy(
    {},
    { get, has: (_, name) => name in own(), getPrototypeOf: () => Object.getPrototypeOf(own()) },
  )
  known.set(standing, { make: own, fits })
  return standing
}

const builders = new Set(
  'array boolean discriminatedUnion enum int literal looseObject number object record strictObject string undefined union unknown'.split(
    ' ',
  ),
)

/** Returns `z`, whose members are loaded when they are needed. @param {(name: string) => any} memberOf */
export function lateZod(memberOf) {
  const get = (/** @type {unknown} */ _, /** @type {string | symbol} */ given) => {
    const name = String(given)
    if (builders.has(name))
      return (/** @type {any[]} */ ...parts) =>
        late({
          make: () => memberOf(name)(...parts.map(made)),
          fits: parts.length < 2 ? fitting[name]?.(...parts) : undefined,
          seen: /object$/i.test(name)
            ? { shape: parts[0] }
            : name === 'enum' && Array.isArray(parts[0])
              ? { options: parts[0] }
              : undefined,
        })
    const member = memberOf(name)
    if (!/^[a-z]/.test(name) || typeof member !== 'function') return member
    return (/** @type {any[]} */ ...parts) => member(...parts.map(made))
  }
  return new Proxy(/** @type {Record<string, any>} */ ({}), { get })
}

/** @type {NodeJS.Require | undefined} */
let load

/** The build puts the files of zod beside the folder of this one. */
export const z = lateZod((name) => {
  load ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)
  return load(name === 'toJSONSchema' ? '../zod-json-schema.js' : '../zod.js')[name]
})
