import ts from "typescript";

/** A member of a class or an interface that is written by hand. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly text: string;
  readonly defaultText: string | undefined;
}

/** What an SDK's module says of a class and of the arguments that the class has beside its table. */
export type ClassText = Readonly<ReturnType<typeof classText>>;

export function classText(kind: string, module: string) {
  const source = ts.createSourceFile(`${kind}.ts`, module, ts.ScriptTarget.Latest, true);
  const ownClass = source.statements.find(ts.isClassDeclaration);
  const ownArgs = source.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === `${kind}Args`);
  const ownProperties = (ownClass === undefined ? [] : [...ownClass.members]).flatMap((member) =>
    ts.isPropertyDeclaration(member) && !hasModifier(member) ? [memberOf(member)] : [],
  );
  const ownArguments = (ownArgs === undefined ? [] : [...ownArgs.members]).flatMap((member) =>
    ts.isPropertySignature(member) ? [memberOf(member)] : [],
  );
  return { description: ownClass === undefined ? "" : commentOf(ownClass).text, ownArguments, ownProperties };
}

/** What is generated is declared; what is private is nobody's. */
const hasModifier = ({ modifiers = ts.factory.createNodeArray() }: ts.PropertyDeclaration): boolean =>
  modifiers.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword || kind === ts.SyntaxKind.PrivateKeyword);

const memberOf = (node: ts.PropertySignature | ts.PropertyDeclaration): Member => ({
  name: node.name.getText(),
  type: node.type?.getText() ?? "",
  isOptional: node.questionToken !== undefined,
  ...commentOf(node),
});

function commentOf(node: ts.Node): { readonly text: string; readonly defaultText: string | undefined } {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "").join(" ");
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === "default");
  return { text: withoutLinks(text), defaultText: tag && withoutLinks(ts.getTextOfJSDocComment(tag.comment) ?? "") };
}

const withoutLinks = (text: string): string => text.replace(/\{@link (\w+)\}/g, "`$1`").replace(/\s+/g, " ");
