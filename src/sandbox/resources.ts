// The one list: what the sandbox consists of. A new resource is a store declaration, a routes file, and a line here.
import type { Resource } from './route.ts'
import { projects } from './store/projects.ts'

/** Every resource of the sandbox. */
export const resources: readonly Resource[] = [{ collections: [projects] }]
