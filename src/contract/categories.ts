// Categories, by which the stacking rules treat redeemables differently. Source: docs/service/products.md#categories.
import { z } from 'zod'
import { callsAbout, listing } from './calls-about.ts'

/** A category to store. A lower `hierarchy` is applied earlier. */
export const newCategory = z.strictObject({ name: z.string().min(1), hierarchy: z.int().min(0) })

/** A category as the service returns it. */
export const category = z.looseObject({ id: z.string(), object: z.literal('category'), name: z.string().optional() })

const calls = callsAbout('categories', '/v1/categories/{categoryId}', {
  response: category,
  source: 'docs/service/products.md#categories',
})

export const listCategories = calls.list(listing, 'List categories')
export const getCategory = calls.get('Get a category')
export const createCategory = calls.create(
  newCategory,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listCategories } } },
  'Create a category',
)

/** Changes a category; both members are needed. */
export const updateCategory = calls.update(newCategory, 'Update a category', undefined, { replaces: (now) => now })

export const deleteCategory = calls.delete('Delete a category')
