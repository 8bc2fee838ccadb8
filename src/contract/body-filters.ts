// What the filter of a segment and of a product collection may name. Source: docs/service/customers.md#segments;
// docs/service/products.md#product-collections; docs/service/lists.md#filter-operators.

const ofAll = ['id', 'source_id', 'name', 'created_at', 'updated_at', 'metadata', 'junction']

/** The fields of a filter, by the kind of object that has it; what is in `metadata` and `address` has any name. */
export const filterFields: Readonly<Record<string, readonly string[]>> = {
  segments: [...ofAll, 'email', 'phone', 'description', 'birthdate', 'country', 'address'],
  'product-collections': [...ofAll, 'product_id', 'sku', 'price', 'currency', 'image_url'],
}

/** How a condition of a filter compares. */
export const filterOperators: readonly string[] = [
  ['$is', '$is_not', '$in', '$not_in', '$has_value', '$is_unknown', '$starts_with', '$ends_with', '$contains'],
  ['$not_contain', '$after', '$before', '$more_than', '$less_than', '$more_than_equal', '$less_than_equal'],
  ['$is_days_ago', '$is_days_in_future', '$more_than_ago', '$less_than_ago', '$more_than_future', '$less_than_future'],
  ['$count', '$count_less', '$count_more'],
].flat()
