import { importCommand } from '../../cli/topics/async/import-command.ts'
import { importSkus, skuCsv } from '../../contract/bulk.ts'

export default importCommand('Import SKUs from a CSV file, in one request', {
  description:
    'The service reads source_id, product_id (the source id of the product), sku (its name), price in major units, image_url and attributes. Other columns become metadata. It works on the file in the background; --wait shows the result.',
  examples: [
    'printf "source_id,product_id,sku,price\\ndecaf-250,decaf,Decaf 250 g,6.50\\n" > skus.csv; promo skus import skus.csv --dry-run --profile sandbox',
    'printf "source_id,product_id,sku\\ndecaf-250,decaf,Decaf 250 g\\n" | promo skus import - --dry-run --profile sandbox',
  ],
  endpoint: importSkus,
  csv: skuCsv,
  action: (rows) => `import ${rows} of SKUs`,
})
