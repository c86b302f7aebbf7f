package io.flinkgpu.program;

import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.NumberExpression;
import io.flinkgpu.api.expression.TextExpression;

import org.junit.jupiter.api.Test;

import static io.flinkgpu.api.expression.Expressions.booleanCol;
import static io.flinkgpu.api.expression.Expressions.coalesce;
import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.api.expression.Expressions.when;
import static io.flinkgpu.program.ExampleColumns.assertProgram;

/**
 * What is shared, folded and guarded, and which texts stay slices, as disassembly.
 *
 * <p>Covers: Program.
 */
class ProgramSharingTest {

    private static final TextExpression NAME = col("name");
    private static final TextExpression CITY = col("city");
    private static final NumberExpression ID = longCol("id");
    private static final Condition ACTIVE = booleanCol("active");

    @Test
    void whatIsCommonIsComputedOnce() {
        assertProgram(
                """
                read name TEXT
                pass
                  t0, t1 = split name ' '
                  t2 = left t1 1
                  #1 TEXT = t2, '. ', t0
                  #2 TEXT = t0
                  #3 TEXT = upper(t2)
                results #1, #2, #3, #2
                """,
                concat(NAME.after(" ").left(1), lit(". "), NAME.before(" ")),
                NAME.before(" "),
                NAME.after(" ").upper().left(1),
                NAME.before(" ").as("again"));
    }

    @Test
    void columnsAsTheyAreNeedNoStep() {
        assertProgram(
                """
                read id LONG, name TEXT, active BOOLEAN
                results name, active, name, id
                """,
                NAME,
                ACTIVE,
                NAME.as("again"),
                ID);
    }

    @Test
    void constantsAreFolded() {
        assertProgram(
                """
                read name TEXT
                pass
                  t0 = null_text
                  c0 = literal_condition true
                  n0 = null_number
                  #1 TEXT = 'ABC-b'
                  #2 TEXT = t0
                  #3 TEXT = name, 'ab'
                  #4 BOOLEAN = c0
                  #5 LONG = n0
                results #1, #2, #2, #3, name, #4, #5
                """,
                concat(lit("abc").upper(), lit(""), lit("-a").replace("a", "b")),
                lit((String) null).left(2),
                concat(NAME, lit((String) null)),
                concat(NAME, lit("a"), lit("b")),
                when(lit(true)).then(NAME).otherwise(lit("x")),
                lit("a").isNull().not(),
                lit((String) null).length());
    }

    @Test
    void branchesOfSeveralPiecesAreGuarded() {
        assertProgram(
                """
                read name TEXT, city TEXT
                pass
                  c0 = contains name 'a'
                  c1 = is_true c0
                  c2 = not c1
                  c3 = is_empty city
                  c4 = is_true c3
                  c5 = and c2 c4
                  t0 = null_text
                  c6 = or c1 c4
                  #2 TEXT = name if c1, '!' if c1, t0 if c5, city if not c6, '?' if not c6
                results #2
                """,
                when(NAME.contains("a"))
                        .then(concat(NAME, lit("!")))
                        .otherwise(
                                when(CITY.isEmpty())
                                        .then(lit((String) null))
                                        .otherwise(concat(CITY, lit("?")))));
    }

    @Test
    void aGuardInsideOfBothBranches() {
        assertProgram(
                """
                read name TEXT, city TEXT, active BOOLEAN
                pass
                  c0 = is_null_text name
                  c1 = load_condition active
                  c2 = is_true c1
                  c3 = and c0 c2
                  c4 = not c2
                  c5 = and c0 c4
                  #3 TEXT = upper(city) if c3, city if c5, lower(name) if not c0
                results #3
                """,
                coalesce(
                        NAME.lower(),
                        when(booleanCol("active")).then(CITY.upper()).otherwise(CITY)));
    }

    @Test
    void aTextOfPiecesIsNullWhereOneThatIsChosenIs() {
        assertProgram(
                """
                read name TEXT, city TEXT
                pass
                  c0 = is_null_text name
                  c1 = contains name 'a'
                  c2 = is_true c1
                  c3 = is_null_text city
                  c4 = literal_condition false
                  c5 = select_condition c2 c3 c4
                  c6 = or c0 c5
                  #2 BOOLEAN = c6
                results #2
                """,
                concat(
                                NAME,
                                when(NAME.contains("a"))
                                        .then(concat(CITY, lit("!")))
                                        .otherwise(lit("")))
                        .isNull());
    }

    @Test
    void choicesBetweenTextsChangedAlikeAreOneSlice() {
        assertProgram(
                """
                read name TEXT, city TEXT
                pass
                  t0 = coalesce_text name city
                  #2 TEXT = upper(t0)
                results #2
                """,
                coalesce(NAME.upper(), CITY.upper()));
    }

    @Test
    void changesOfCaseTradePlacesWithCutsAndAreNotRepeated() {
        assertProgram(
                """
                read name TEXT, city TEXT
                pass
                  t0 = trim name
                  t1 = left t0 2
                  n0 = length city
                  #2 TEXT = upper(t1)
                  #3 TEXT = lower(name), ', ', lower(city)
                  #4 LONG = n0
                results #2, #3, #4
                """,
                NAME.upper().trim().left(2).upper(),
                concat(NAME, lit(", "), CITY).lower(),
                CITY.lower().length());
    }
}
