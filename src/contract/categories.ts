// Categories, by which the stacking rules treat redeemables differently. Source: docs/service/products.md#categories.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer } from './fields.ts'
import { listing } from './listing.ts'

/** A category to store. A lower `hierarchy` is applied earlier. */
export const newCategory = z.strictObject({ name: z.string().min(1), hierarchy: z.int().min(0) })

/** A category as the service returns it. */
export const category = z.looseObject({ id: z.string(), object: z.literal('category'), name: z.string().optional() })

/** Lists all categories. */
export const listCategories = endpoint({
  id: 'categories.list',
  ...listing,
  path: '/v1/categories',
  source: 'docs/service/products.md#categories',
  summary: 'List categories',
})

/** Reads one category. */
export const getCategory = endpoint({
  id: 'categories.get',
  method: 'GET',
  path: '/v1/categories/{categoryId}',
  response: category,
  repeat: 'read',
  source: 'docs/service/products.md#categories',
  summary: 'Get a category',
})

/** Creates a category. */
export const createCategory = endpoint({
  id: 'categories.create',
  method: 'POST',
  path: '/v1/categories',
  body: newCategory,
  response: category,
  repeat: 'reconcile',
  source: 'docs/service/products.md#categories',
  summary: 'Create a category',
})

/** Changes a category. */
export const updateCategory = endpoint({
  id: 'categories.update',
  method: 'PUT',
  path: '/v1/categories/{categoryId}',
  body: newCategory,
  response: category,
  repeat: 'idempotent',
  source: 'docs/service/products.md#categories',
  summary: 'Update a category',
})

/** Removes a category. */
export const deleteCategory = endpoint({
  id: 'categories.delete',
  method: 'DELETE',
  path: '/v1/categories/{categoryId}',
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'docs/service/products.md#categories',
  summary: 'Delete a category',
})
