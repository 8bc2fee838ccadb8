// Reads many paths of an object in one walk: a row of CSV has dozens of columns, and most objects lack most of them.
import { valueAt } from './path.ts'

/** A step that several paths share: the positions of the paths that end here, and the next steps of the others. */
interface Step {
  ends: number[]
  next: Map<string, Step>
}

/** Returns a function that reads the values at these paths of an object, each as `valueAt` would. */
export function readerOf(paths: readonly string[]): (object: object) => unknown[] {
  const first: Step = { ends: [], next: new Map() }
  for (const [at, path] of paths.entries()) stepAt(first, path.split('.')).ends.push(at)
  const nothing: unknown[] = paths.map(() => undefined)
  return (object) => {
    const values = [...nothing]
    return collect(object, first, values) ? values : paths.map((path) => valueAt(object, path))
  }
}

function stepAt(first: Step, names: readonly string[]): Step {
  let step = first
  for (const name of names) {
    const next = step.next.get(name) ?? { ends: [], next: new Map() }
    step.next.set(name, next)
    step = next
  }
  return step
}

/** Returns false where a walk by single names may miss what `valueAt` finds: names with dots, members of arrays. */
function collect(object: object, { next }: Step, values: unknown[]): boolean {
  if (Array.isArray(object)) return false
  for (const name of Object.keys(object)) {
    const step = next.get(name)
    if (step === undefined) {
      if (name.includes('.')) return false
      continue
    }
    const value = (object as Record<string, unknown>)[name]
    for (const at of step.ends) values[at] = value
    const leadsOn = step.next.size > 0 && typeof value === 'object' && value !== null
    if (leadsOn && !collect(value, step, values)) return false
  }
  return true
}
