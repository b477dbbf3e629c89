/**
 * Kysely's compiler of queries for SQLite, which differs in one thing: no value is seen by SQLite when it plans.
 *
 * A plan may depend on a value: on that of a limit, of a column that an index names in its condition, and of any other that
 * is compared without an index. SQLite then plans the statement anew for each execution, which takes longer than most
 * statements do. Behind a plus sign, which changes nothing, it does not look at the value.
 */
import {
  type BinaryOperationNode,
  ColumnNode,
  type OperationNode,
  ReferenceNode,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely';

/** The values that conditions of indexes name, by column. In a comparison they are written out, so that the index is used. */
export const namedByIndexes: Readonly<Record<string, readonly unknown[]>> = {
  chosen: [0],
  hidden_at_1: [0],
  hidden_at_2: [0],
  hidden_from: [0],
  is_active: [1],
  is_counted: [0, 1],
  is_deleted: [0],
  must_clear: [1],
  online: [1],
  revision: [0],
  state: ['going'],
  status: ['pending'],
};

export class OncePlannedCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, rightOperand } = node;
    const isNamed =
      ValueNode.is(rightOperand) && (namedByIndexes[columnOf(leftOperand)] ?? []).includes(rightOperand.value);
    super.visitBinaryOperation(
      isNamed ? { ...node, rightOperand: ValueNode.createImmediate(rightOperand.value) } : node,
    );
  }
}

function columnOf(node: OperationNode): string {
  const column = ReferenceNode.is(node) ? node.column : node;
  return ColumnNode.is(column) ? column.column.name : '';
}
