// Copies and renames templates. Source: docs/service/templates.md#copy.
import type { z } from 'zod'
import type * as contract from '../../../contract/templates.ts'
import { Refusal } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { installation, projects } from '../projects/store.ts'
import { storeUpdate } from '../update.ts'
import { checkNameIsFree } from './create.ts'
import { type StoredTemplate, templates } from './store.ts'

type Copy = z.output<NonNullable<(typeof contract.copyTemplate)['body']>>
type Update = z.output<NonNullable<(typeof contract.updateTemplate)['body']>>

/**
 * Copies a template to a project, its own included; what it creates is created there on use. Throws 404 for an unknown
 * project and 409 for a taken name, both in the form of the management API, without a key.
 */
export function copyTemplate(template: StoredTemplate, body: Copy, context: Context): StoredTemplate {
  const { name, description, destination_project_id } = body
  const destination = context.store.in(projects, installation).get(destination_project_id)
  if (!destination)
    throw new Refusal({
      code: 404,
      message: 'Resource not found',
      details: `Cannot find project with id ${destination_project_id}`,
    })
  const table = context.store.in(templates, destination.id)
  if (table.holdsKey(name))
    throw new Refusal({
      code: 409,
      message: 'Duplicated resource found',
      details: `Duplicated ${templates.type} exists with name ${name}`,
    })
  const copy: StoredTemplate = {
    ...template,
    id: context.id(templates.prefix),
    name,
    // ASSUMED A249: a copy keeps the description when none is sent; null removes it.
    description: description === undefined ? template.description : description,
    created_at: context.now,
    updated_at: null,
  }
  table.insert(copy)
  return copy
}

/** Changes name or description; null clears the description. Throws 409. */
export function updateTemplate(template: StoredTemplate, { name, description }: Update, context: Context) {
  if (name !== undefined && name !== template.name) checkNameIsFree(name, context)
  const next = { ...template, name: name ?? template.name, ...(description !== undefined && { description }) }
  return storeUpdate(templates, template, next, context).doc
}
