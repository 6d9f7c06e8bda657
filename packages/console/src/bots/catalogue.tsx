import type { BotsProductsOutput } from '@msgctl/client/admin'
import { limits } from '@msgctl/contract/limits'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextArea, TextField, type Values } from '../ui/form.tsx'
import { Card, Empty } from '../ui/layout.tsx'
import { Pager } from '../ui/pager.tsx'
import { LoadState } from '../ui/problem.tsx'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import type { AssistantProps } from './assistant.tsx'
import { money } from './money.ts'
import { OrderPhones } from './order-phones.tsx'
import { words } from './words.ts'

type Product = BotsProductsOutput['products'][number]
const pageSize = 50

/** The products of a shop, and the phones that get a text for each order. */
export function Catalogue(props: AssistantProps) {
  const { bot, mayManage } = props
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [editing, setEditing] = useState<Product | 'new' | null>(null)
  const list = useQuery({
    queryKey: ['bots', bot.id, 'products', search, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      admin.bots.products({
        botId: bot.id,
        page,
        limit: pageSize,
        ...(search.trim() ? { search: search.trim() } : {}),
      }),
  })
  const products = list.data?.products ?? []
  return (
    <>
      <Card
        title={words.partNames.catalogue}
        aside={
          <span class="row wrap">
            <input
              class="input search"
              type="search"
              maxLength={limits.search}
              aria-label={words.searchProducts}
              placeholder={words.searchProducts}
              dir="auto"
              value={search}
              onInput={(event) => {
                setSearch(event.currentTarget.value)
                setPage(1)
              }}
            />
            {mayManage ? <Button kind="primary" onClick={() => setEditing('new')} label={words.addProduct} /> : null}
          </span>
        }
      >
        <LoadState of={list} />
        {list.isSuccess && products.length === 0 ? <Empty title={words.noProducts} /> : null}
        {products.length > 0 ? (
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th>{words.product}</th>
                  <th class="end">{words.price}</th>
                  <th class="end">{words.stock}</th>
                  <th>
                    <span class="unseen">{t.ui.actions}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {products.map((product) => (
                  <ProductRow key={product.id} {...props} product={product} onEdit={() => setEditing(product)} />
                ))}
              </tbody>
            </table>
          </div>
        ) : null}
        {list.data ? <Pager page={page} limit={pageSize} total={list.data.total} onChange={setPage} /> : null}
      </Card>
      <OrderPhones bot={bot} mayManage={mayManage} />
      {editing === null ? null : (
        <ProductDialog {...props} product={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </>
  )
}

interface ProductRowProps extends AssistantProps {
  readonly product: Product
  readonly onEdit: () => void
}

function ProductRow({ bot, mayManage, product, onEdit }: ProductRowProps) {
  const { id: productId, name, sku, description, price, stock, available } = product
  const [removing, setRemoving] = useState(false)
  const stale = ['bots']
  const change = useAction(() => admin.bots.changeProduct({ botId: bot.id, productId, available: !available }), {
    stale,
  })
  const remove = useAction(() => admin.bots.removeProduct({ botId: bot.id, productId }), { stale })
  return (
    <tr>
      <td class="wide">
        <b class="cut block" dir="auto">
          {name}
        </b>
        <span class="cut block xs muted" dir="auto">
          {[sku, description].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td class="end num nowrap">{money(price, bot.shop?.currency ?? null)}</td>
      <td class="end num nowrap">
        {available ? stock === null ? '—' : number(stock) : <span class="is-held">{words.unavailable}</span>}
      </td>
      <td class="actions-cell">
        {mayManage ? (
          <span class="row end">
            <Button action={change} label={available ? words.takeOffMenu : words.putOnMenu} />
            <Button onClick={onEdit} label={t.ui.edit} />
            <Button kind="danger" onClick={() => setRemoving(true)} label={t.ui.remove} />
          </span>
        ) : null}
        {removing ? (
          <Confirm
            title={words.removeProduct(name)}
            act={t.ui.remove}
            action={remove}
            onClose={() => setRemoving(false)}
          >
            <p>{words.removeProductHint}</p>
          </Confirm>
        ) : null}
      </td>
    </tr>
  )
}

interface ProductDialogProps extends AssistantProps {
  readonly product: Product | null
  readonly onClose: () => void
}

function ProductDialog({ bot, product, onClose }: ProductDialogProps) {
  const save = useAction(
    (values: Values) => {
      const input = {
        botId: bot.id,
        name: values.name ?? '',
        description: values.description ?? '',
        price: Number(values.price),
        stock: values.stock?.trim() ? Number(values.stock) : null,
        sku: values.sku?.trim() || null,
        position: Number(values.position || 0),
      }
      return product ? admin.bots.changeProduct({ ...input, productId: product.id }) : admin.bots.addProduct(input)
    },
    { stale: ['bots'], done: t.ui.saved, quiet: true },
  )
  return (
    <Dialog title={product ? words.editProduct : words.addProduct} onClose={onClose}>
      <div class="dialog-body">
        <Form action={save} submit={t.ui.save} onDone={onClose} onCancel={onClose}>
          <TextField
            label={words.name}
            name="name"
            maxLength={limits.bots.productName}
            defaultValue={product?.name ?? ''}
            dir="auto"
            autofocus
          />
          <TextArea
            label={words.description}
            name="description"
            rows={2}
            maxLength={limits.bots.productDescription}
            defaultValue={product?.description ?? ''}
            optional
          />
          <div class="fields">
            <TextField
              label={words.priceIn(bot.shop?.currency ?? '')}
              name="price"
              inputMode="decimal"
              defaultValue={product ? String(product.price) : ''}
            />
            <TextField
              label={words.stock}
              name="stock"
              inputMode="numeric"
              defaultValue={product?.stock === null ? '' : String(product?.stock ?? '')}
              hint={words.stockHint}
              optional
            />
            <TextField
              label={words.sku}
              name="sku"
              maxLength={limits.bots.sku}
              defaultValue={product?.sku ?? ''}
              optional
            />
            <TextField
              label={words.position}
              name="position"
              inputMode="numeric"
              defaultValue={String(product?.position ?? 0)}
              optional
            />
          </div>
        </Form>
      </div>
    </Dialog>
  )
}
