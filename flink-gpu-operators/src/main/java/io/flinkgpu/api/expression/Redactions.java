package io.flinkgpu.api.expression;

import org.apache.flink.annotation.PublicEvolving;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.when;

/** Ready-made redactions. */
@PublicEvolving
public final class Redactions {

    private Redactions() {}

    /**
     * The example of NVIDIA's article "Mastering String Transformations in RAPIDS libcudf": the columns
     * {@code name} and {@code visibility} become {@code "D John"} where {@code John Doe} is public, and
     * {@code "X X"} elsewhere. The article's variants differ in rows of other shapes; here, as in its
     * fastest:
     *
     * <table>
     * <caption>Rows of other shapes</caption>
     * <tr><th>name</th><th>visibility</th><th>result</th></tr>
     * <tr><td>{@code "John Doe"}</td><td>{@code "nonpublic"}</td><td>{@code "X X"}: it must equal
     * {@code public}</td></tr>
     * <tr><td>{@code "Cher"}</td><td>{@code "public"}</td><td>{@code "C Cher"}: without a space, all is
     * both names</td></tr>
     * <tr><td>{@code ""}</td><td>{@code "public"}</td><td>{@code " "}</td></tr>
     * <tr><td>{@code "A  B"} (two spaces)</td><td>{@code "public"}</td><td>{@code "  A"}: the initial is
     * the second space</td></tr>
     * <tr><td>null</td><td>{@code "public"}</td><td>null</td></tr>
     * <tr><td>any, or null</td><td>null</td><td>{@code "X X"}</td></tr>
     * </table>
     *
     * The initial is one code point.
     */
    public static TextExpression nameByVisibility() {
        return when(col("visibility").equalTo("public"))
                .then(concat(col("name").after(" ").left(1), lit(" "), col("name").before(" ")))
                .otherwise(lit("X X"));
    }
}
