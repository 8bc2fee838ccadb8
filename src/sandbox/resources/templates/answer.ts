// Templates as the service shows them: what is in them only where it is asked for.
// Source: docs/service/templates.md#fields.
import type { StoredTemplate } from './store.ts'

/** Shows a template without what it makes. */
export function templateAnswer({ json_template: _template, ...template }: StoredTemplate) {
  return template
}
