// In the bundle this takes the place of zod for promo's own modules: a schema is made when something looks at it. Most runs declare
// many schemas and look at none, and zod takes longer to load than their commands run.

/** @type {NodeJS.Require | undefined} */
let load

/**
 * Returns a member of zod. The build puts its files beside the folder of this one.
 * @param {string} name
 * @returns {any}
 */
function memberOf(name) {
  load ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)
  return load(name === 'toJSONSchema' ? '../zod-json-schema.js' : '../zod.js')[name]
}

/** What stands for a schema, with the function that makes it. @type {WeakMap<object, () => any>} */
const makers = new WeakMap()

/** What makes a schema of a schema; everything else that is asked for is a look at it. */
const changes = new Set(
  'array catchall default describe extend int max meta min nullable nullish omit optional or partial pick pipe positive refine regex superRefine transform'.split(
    ' ',
  ),
)

/**
 * Returns the schemas themselves in place of what stands for them: zod looks at its parts for every value.
 * @param {any} part
 * @returns {any}
 */
function made(part) {
  if (typeof part !== 'object' || part === null) return part
  const make = makers.get(part)
  if (make !== undefined) return make()
  if (Array.isArray(part)) return part.map(made)
  if (Object.getPrototypeOf(part) !== Object.prototype) return part
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, made(one)]))
}

/**
 * Returns what stands for a schema until it is looked at.
 * @param {() => any} make
 */
function late(make) {
  /** @type {any} */
  let schema
  /** @type {any} */
  let shape
  const own = () => {
    schema ??= make()
    return schema
  }
  const standing = new Proxy(
    {},
    {
      get: (_, name) => {
        if (changes.has(String(name)))
          return (/** @type {any[]} */ ...given) => late(() => own()[name](...given.map(made)))
        // What these lead to is changed like any other schema.
        if (name === 'unwrap') return () => late(() => own().unwrap())
        if (name === 'shape') {
          shape ??= Object.fromEntries(Object.entries(own().shape).map(([member, one]) => [member, late(() => one)]))
          return shape
        }
        const value = own()[name]
        return typeof value === 'function' ? value.bind(schema) : value
      },
      has: (_, name) => name in own(),
      getPrototypeOf: () => Object.getPrototypeOf(own()),
    },
  )
  makers.set(standing, own)
  return standing
}

const builders = new Set(
  'array boolean discriminatedUnion enum int literal looseObject number object record strictObject string undefined union unknown'.split(
    ' ',
  ),
)

export const z = new Proxy(/** @type {Record<string, any>} */ ({}), {
  get: (_, given) => {
    const name = String(given)
    if (builders.has(name)) return (/** @type {any[]} */ ...parts) => late(() => memberOf(name)(...parts.map(made)))
    const member = memberOf(name)
    return /^[a-z]/.test(name) && typeof member === 'function'
      ? (/** @type {any[]} */ ...parts) => member(...parts.map(made))
      : member
  },
})
