// The category calls. Source: docs/service/products.md#categories; docs/service/validations.md#stacking-rules.
import type { z } from 'zod'
import * as contract from '../../contract/categories.ts'
import { newCategory } from '../../contract/categories.ts'
import { findOr404, routesFor } from '../answers/existing.ts'
import { identityOf, requestOf } from '../http/fixture-object.ts'
import { duplicate } from '../http/refusal.ts'
import { type Context, type Resource, route, wholeList } from '../http/route.ts'
import { storeUpdate } from '../resources/update.ts'
import { categoriesAnswer } from '../rules/stacking/validation-entry.ts'
import { is } from '../storage/conditions.ts'
import { campaigns } from '../stores/campaigns.ts'
import { categories, type StoredCategory } from '../stores/categories.ts'
import { promotionStacks, promotionTiers } from '../stores/promotions.ts'
import { vouchers } from '../stores/vouchers.ts'

const routeFor = routesFor('categoryId', (id, context) => findOr404(categories, id, context))

/** Categories, by id or name. */
export const categoryResource: Resource = {
  collections: [categories],
  load: {
    categories: (wire, loading) => ({
      ...categoryOf(requestOf(newCategory, wire), loading),
      ...identityOf(categories, wire, loading),
    }),
  },
  routes: [
    route(contract.listCategories, (_, context) => {
      const data = context
        .in(categories)
        .all()
        .map((category) => showCategory(category, context))
      return { ...wholeList(data), has_more: false }
    }),
    route(contract.createCategory, ({ body }, context) => showCategory(createCategory(body, context), context)),
    routeFor(contract.getCategory, (category, context) => showCategory(category, context)),
    routeFor(contract.updateCategory, (category, context, { body }) =>
      showCategory(updateCategory(category, body, context), context),
    ),
    routeFor(contract.deleteCategory, deleteCategory),
  ],
}

// ASSUMED A178: whether a category is EXCLUSIVE or JOINT follows from the project's stacking rules.
function showCategory(category: StoredCategory, context: Context) {
  const { exclusive_categories, joint_categories } = context.project.stacking_rules ?? {}
  const rules = { exclusive_categories: asList(exclusive_categories), joint_categories: asList(joint_categories) }
  return categoriesAnswer(category, rules)[0] as object
}

function asList(value: unknown): string[] {
  return Array.isArray(value) ? value : []
}

type Body = z.output<typeof newCategory>

/** Stores a category. Throws 409 when the name is taken. */
function createCategory(body: Body, context: Context): StoredCategory {
  mustBeFree(body.name, context)
  return context.in(categories).insert(categoryOf(body, context))
}

/** Changes a category; whatever is filed under it shows the new name. Throws 409 when another category has the name. */
function updateCategory(before: StoredCategory, body: Body, context: Context): StoredCategory {
  if (body.name !== before.name) {
    mustBeFree(body.name, context)
    refile(before, body.name, before.id, context)
  }
  return storeUpdate(categories, before, { ...before, ...body }, context).doc
}

// ASSUMED A177: what was filed under a removed category has none; nothing is refused, no event is recorded.
/** Removes a category. */
function deleteCategory(category: StoredCategory, context: Context): void {
  refile(category, null, null, context)
  context.in(categories).remove(category.id)
}

function categoryOf({ name, hierarchy }: Body, context: Pick<Context, 'id' | 'now'>): StoredCategory {
  const id = context.id(categories.prefix)
  return { id, name, hierarchy, object: 'category', created_at: context.now, updated_at: null }
}

function mustBeFree(name: string, context: Context): void {
  if (context.in(categories).holdsKey(name)) throw duplicate('category', name, 'name')
}

function refile({ id }: StoredCategory, category: string | null, category_id: string | null, context: Context): void {
  for (const voucher of context.in(vouchers).all([is(vouchers, 'category_id', id)]))
    context.in(vouchers).update({ ...voucher, category, category_id })
  for (const campaign of context.in(campaigns).all([is(campaigns, 'category_id', id)]))
    context.in(campaigns).update({ ...campaign, category, category_id })
  for (const tier of context.in(promotionTiers).all())
    if (tier.category_id === id) context.in(promotionTiers).update({ ...tier, category, category_id })
  for (const stack of context.in(promotionStacks).all())
    if (stack.category_id === id) context.in(promotionStacks).update({ ...stack, category_id })
}
