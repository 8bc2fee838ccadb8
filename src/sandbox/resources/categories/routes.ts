// The category calls. Source: docs/service/products.md#categories.
import * as contract from '../../../contract/categories.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, noContent, ok, route } from '../../http/route.ts'
import { categoriesAnswer } from '../../rules/stacking/validation-entry.ts'
import { existing } from '../existing.ts'
import { wholeList } from '../listing.ts'
import { createCategory, deleteCategory, loadCategory, updateCategory } from './lifecycle.ts'
import { categories, type StoredCategory } from './store.ts'

/** Categories, by id or name. */
export const categoryResource: Resource = {
  collections: [categories],
  load: { categories: loadCategory },
  routes: [
    route(contract.listCategories, (_, context) => {
      const data = context
        .in(categories)
        .all()
        .map((category) => shown(category, context))
      return ok({ ...wholeList(data), has_more: false })
    }),
    route(contract.createCategory, ({ body }, context) => ok(shown(createCategory(body, context), context))),
    route(contract.getCategory, ({ path }, context) =>
      ok(shown(existing(categories, path.categoryId, context), context)),
    ),
    route(contract.updateCategory, ({ path, body }, context) =>
      ok(shown(updateCategory(existing(categories, path.categoryId, context), body, context), context)),
    ),
    route(contract.deleteCategory, ({ path }, context) => {
      deleteCategory(existing(categories, path.categoryId, context), context)
      return noContent()
    }),
  ],
}

// ASSUMED A178: whether a category is EXCLUSIVE or JOINT follows from the project's stacking rules.
function shown(category: StoredCategory, context: Context) {
  const { exclusive_categories, joint_categories } = context.project.stacking_rules ?? {}
  const rules = { exclusive_categories: listed(exclusive_categories), joint_categories: listed(joint_categories) }
  return categoriesAnswer(category, rules)[0]
}

function listed(value: unknown): string[] {
  return Array.isArray(value) ? value : []
}
