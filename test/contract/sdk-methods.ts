// The methods of the published SDK, found by reflection, and which of them a test calls.

type Group = Record<string, unknown>

// Not calls: what the groups are made of.
const parts = ['constructor', 'client', 'requestController', 'getLastResponseHeadersFromController']

/** Lists the methods of an SDK object and of its groups, such as `loyalties.create`. */
export function methodsOf(sdk: object): string[] {
  return [...new Set(walked(sdk as Group, '', []))]
}

function walked(group: Group, path: string, above: readonly object[]): string[] {
  return namesOf(group).flatMap((name) => {
    const member = group[name]
    if (typeof member === 'function') return [canonical(path + name)]
    if (typeof member !== 'object' || member === null || above.includes(member)) return []
    return walked(member as Group, `${path}${name}.`, [...above, group])
  })
}

function namesOf(group: object): string[] {
  const prototype = Object.getPrototypeOf(group)
  const inherited = prototype === Object.prototype ? [] : Object.getOwnPropertyNames(prototype)
  return [...Object.getOwnPropertyNames(group), ...inherited].filter((name) => !parts.includes(name))
}

/** The validations hold the promotions, which are a group of their own as well. */
function canonical(path: string): string {
  return path.replace(/^validations\.promotions\./, 'promotions.')
}

/** Returns the same SDK; the names of methods that are called through it are added to `called`. */
export function noting<Sdk extends object>(sdk: Sdk, called: Set<string>, path = ''): Sdk {
  return new Proxy(sdk, {
    get(target, name) {
      const member = (target as Record<PropertyKey, unknown>)[name]
      if (typeof name === 'symbol' || parts.includes(name)) return member
      if (typeof member === 'object' && member !== null) return noting(member, called, `${path}${name}.`)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        called.add(canonical(path + name))
        return Reflect.apply(member, target, args)
      }
    },
  })
}
