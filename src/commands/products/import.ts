import { importCommand } from '../../cli/topics/async/import-command.ts'
import { importProducts, productCsv } from '../../contract/bulk.ts'

export default importCommand('Import products from a CSV file, in one request', {
  description:
    'The service reads name, source_id, price, attributes ("S,M,L") and image_url. Other columns become metadata. It works on the file in the background; --wait shows the result. Of a product whose source id exists only the name is changed.',
  examples: [
    'printf "name,source_id,price\\nDecaf,decaf,18.50\\nFilter papers,filter-100,4\\n" > products.csv; promo products import products.csv --wait --yes --profile sandbox',
    'printf "Artikel;Nr;Lager\\nDecaf;decaf;7\\n" | promo products import - --map Artikel=name --map Nr=source_id --ignore-columns Lager --dry-run --profile sandbox',
  ],
  endpoint: importProducts,
  csv: productCsv,
  action: (rows) => `import ${rows} of products, and rename those whose source id exists`,
})
