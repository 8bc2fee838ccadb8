// The commands of products, SKUs, product collections and categories.
import { callsOf } from '../../contract/calls-about.ts'
import * as categories from '../../contract/categories.ts'
import * as collections from '../../contract/product-collections.ts'
import * as products from '../../contract/products.ts'
import * as skus from '../../contract/skus.ts'
import { categoryColumns, collectionColumns, productColumns } from '../../output/columns/resources/catalogue.ts'
import { skuColumns } from '../../output/columns/skus.ts'
import type { MemberFlags } from '../request/member-flags.ts'
import { resourceCommands } from '../resource.ts'
import { metadataFlag } from '../topics/vouchers/members.ts'

const sourceId: MemberFlags = {
  'source-id': { about: "the shop's own id; an object that already has it is changed", value: 'ID', isFixed: true },
}
const priced: MemberFlags = {
  price: { about: 'the price, in minor units (cents)', value: 'N' },
  image: { about: 'the address of a picture', path: 'image_url', value: 'URL' },
}
const binned =
  'It goes to the bin, where its source id stays taken; with --force it is deleted permanently. Asks for confirmation.'

/** The commands of products. */
export const productCommands = resourceCommands('products', 'product', {
  columns: productColumns,
  calls: callsOf(products, 'products'),
  named: { name: 'product', about: 'a product, by id, source id or name', example: 'house-blend', names: 'product' },
  members: {
    name: { about: 'the name' },
    ...sourceId,
    ...priced,
    attributes: { about: 'the attributes in which its SKUs differ', takes: 'many', value: 'NAME,…' },
    ...metadataFlag,
  },
  texts: {
    get: { summary: 'Show one product with its SKUs' },
    create: {
      examples: [
        '--source-id green-tea --name "Green tea" --price 650',
        '{"source_id":"green-tea","name":"Green tea","attributes":["weight"]}',
      ],
    },
    update: { examples: ['--price 950', '{"metadata":{"roast":"dark"}}'] },
    delete: { summary: 'Delete a product and its SKUs', description: binned },
  },
})

/** The commands of SKUs. */
export const skuCommands = resourceCommands('skus', 'SKU', {
  columns: skuColumns,
  calls: callsOf(skus, 'skus', ['create', 'update', 'delete']),
  elsewhere: { list: skus.listSkus, get: skus.getSku, words: (product) => `skus list ${product}` },
  within: {
    name: 'product',
    about: 'a product, by id, source id or name',
    example: 'house-blend',
    names: 'product',
    path: 'productId',
  },
  named: { name: 'sku', about: 'a SKU, by id or source id', example: 'house-blend-250-whole' },
  members: {
    name: { about: 'the name', path: 'sku' },
    ...sourceId,
    ...priced,
    currency: { about: 'the currency, like EUR', value: 'CODE' },
    ...metadataFlag,
  },
  texts: {
    create: {
      examples: [
        '--source-id house-blend-2000 --name "House blend, 2 kg" --price 4900',
        '{"source_id":"house-blend-2000","attributes":{"weight":"2 kg"}}',
      ],
    },
    update: { examples: ['--price 950', '{"attributes":{"weight":"250 g"}}'] },
    delete: { description: binned },
  },
})

/** The commands of product collections. */
export const collectionCommands = resourceCommands('products collections', 'product collection', {
  columns: collectionColumns,
  calls: callsOf(collections, 'product-collections'),
  named: {
    name: 'collection',
    about: 'a product collection, by id or name',
    example: 'pc_19b8d627a800000001',
    names: 'collection',
  },
  members: {
    name: { about: 'the name', isNeeded: true },
    type: {
      about: 'a fixed list of products, or those that a filter finds',
      takes: ['STATIC', 'AUTO_UPDATE'],
      isNeeded: true,
      isFixed: true,
    },
  },
  texts: {
    create: {
      examples: [
        '--name Everything --type AUTO_UPDATE --set filter={}',
        '{"name":"Tea","type":"STATIC","products":[{"id":"prod_19b8d627a800000001","object":"product"}]}',
      ],
    },
    update: {
      description: 'The products of a STATIC one are fixed; AUTO_UPDATE ones may get another filter.',
      examples: ['--name "Coffee and tea"', '{"name":"Coffee and tea"}'],
    },
    delete: {
      summary: 'Delete a product collection that no rule uses',
      description: 'Its products stay. Asks for confirmation.',
    },
  },
})

/** The commands of categories. */
export const categoryCommands = resourceCommands('categories', 'category', {
  columns: categoryColumns,
  calls: callsOf(categories, 'categories'),
  named: { name: 'category', about: 'a category, by id or name', example: 'Seasonal', names: 'category' },
  members: {
    name: { about: 'the name', isNeeded: true },
    hierarchy: { about: 'the place; lower numbers come first', value: 'N', isNeeded: true },
  },
  unique: 'name',
  texts: {
    create: { examples: ['--name Clearance --hierarchy 3', '{"name":"Clearance","hierarchy":3}'] },
    update: {
      description: 'The category is read first, because the service takes all of it.',
      examples: ['--hierarchy 5', '{"name":"Seasonal","hierarchy":5}'],
    },
    delete: {
      description: 'Its vouchers and campaigns stay, and so do stacking rules that name it. Asks for confirmation.',
    },
  },
})
