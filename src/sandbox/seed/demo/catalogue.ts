// What the demo shop sells: coffee in bags of three sizes, as whole beans or in three grinds, and equipment.
import { daysOpen, demoId, openingDay } from './shop.ts'

const dates = { created_at: openingDay, updated_at: null }

/** Products by their source ids; the prices are those of the smallest SKU, in cents. */
export const products = [
  product(1, 'house-blend', 'House Blend', 890, ['weight', 'grind'], { roast: 'medium', origin: 'blend' }),
  product(2, 'yirgacheffe', 'Yirgacheffe', 1250, ['weight'], { roast: 'light', origin: 'Ethiopia' }),
  product(3, 'hand-grinder', 'Hand grinder', 7900, ['colour'], { warranty_years: 2 }),
  product(4, 'filter papers/100', 'Filter papers, pack of 100', 450, [], {}),
]

const bags = [
  { weight: '250 g', code: '250', houseBlend: 890, yirgacheffe: 1250 },
  { weight: '500 g', code: '500', houseBlend: 1590, yirgacheffe: 2290 },
  { weight: '1 kg', code: '1000', houseBlend: 2790, yirgacheffe: 3990 },
]

const grinds = ['whole', 'espresso', 'filter', 'french press']

/** Their SKUs, oldest first; House Blend has twelve, more than a page. */
export const skus = [
  ...bags.flatMap(({ weight, code, houseBlend }) =>
    grinds.map((grind) => ({
      product_id: demoId('prod_', 1),
      source_id: `house-blend-${code}-${grind.replace(' ', '-')}`,
      sku: `House Blend ${weight}, ${grind}`,
      price: houseBlend,
      attributes: { weight, grind },
    })),
  ),
  ...bags.map(({ weight, code, yirgacheffe }) => ({
    product_id: demoId('prod_', 2),
    source_id: `yirgacheffe-${code}`,
    sku: `Yirgacheffe ${weight}`,
    price: yirgacheffe,
    attributes: { weight },
  })),
  ...['black', 'steel'].map((colour) => ({
    product_id: demoId('prod_', 3),
    source_id: `hand-grinder-${colour}`,
    sku: `Hand grinder, ${colour}`,
    price: 7900,
    attributes: { colour },
  })),
].map((sku, index) => ({
  id: demoId('sku_', 1 + index),
  ...sku,
  currency: 'EUR',
  image_url: null,
  metadata: {},
  created_at: daysOpen(index),
  updated_at: null,
  object: 'sku',
}))

/** Two collections: coffee, listed by hand, and all products. */
export const productCollections = [
  {
    id: demoId('pc_', 1),
    name: 'Coffee',
    type: 'STATIC',
    filter: null,
    products: [1, 2].map((n) => ({ id: demoId('prod_', n), product_id: null, object: 'product' })),
    ...dates,
    object: 'products_collection',
  },
  {
    id: demoId('pc_', 2),
    name: 'All products',
    type: 'AUTO_UPDATE',
    filter: {},
    products: [],
    ...dates,
    object: 'products_collection',
  },
]

function product(
  n: number,
  source_id: string,
  name: string,
  price: number,
  attributes: string[],
  metadata: Record<string, unknown>,
) {
  const id = demoId('prod_', n)
  return { id, source_id, name, price, attributes, metadata, image_url: null, ...dates, object: 'product' }
}
