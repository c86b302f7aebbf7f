package io.flinkgpu.program;

import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.NumberExpression;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.api.expression.TextExpression;

import org.junit.jupiter.api.Test;

import static io.flinkgpu.api.expression.Expressions.booleanCol;
import static io.flinkgpu.api.expression.Expressions.coalesce;
import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.doubleCol;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.api.expression.Expressions.when;
import static io.flinkgpu.program.ExampleColumns.assertProgram;

/**
 * The instructions that expressions become, as disassembly.
 *
 * <p>Covers: ProgramCompiler, Node.
 */
class ProgramCompilerTest {

    private static final TextExpression NAME = col("name");
    private static final TextExpression CITY = col("city");
    private static final NumberExpression ID = longCol("id");
    private static final NumberExpression SCORE = doubleCol("score");
    private static final Condition ACTIVE = booleanCol("active");

    @Test
    void theRedactionOfTheArticleIsOnePass() {
        assertProgram(
                """
                read name TEXT, visibility TEXT
                pass
                  c0 = equal_text visibility 'public'
                  c1 = is_true c0
                  t0, t1 = split name ' '
                  t2 = left t1 1
                  #2 TEXT = t2 if c1, ' ' if c1, t0 if c1, 'X X' if not c1
                results #2
                """,
                Redactions.nameByVisibility());
    }

    @Test
    void everyInstructionThatGivesText() {
        assertProgram(
                """
                read name TEXT, city TEXT, active BOOLEAN
                pass
                  t0 = substring name 2 3
                  t1 = left name 2
                  t2 = right name 2
                  -, t3 = split name ', '
                  t4 = split_part name '-' 3
                  t5 = trim name
                  c0 = load_condition active
                  t6 = select_text c0 name city
                  t7 = coalesce_text city 'nowhere'
                  t8 = coalesce_text name t7
                  t9 = null_text
                  #3 TEXT = t0
                  #4 TEXT = t1
                  #5 TEXT = t2
                  #6 TEXT = t3
                  #7 TEXT = t4
                  #8 TEXT = t5
                  #9 TEXT = t6
                  #10 TEXT = t8
                  #11 TEXT = t9
                results #3, #4, #5, #6, #7, #8, #9, #10, #11
                """,
                NAME.substring(2, 3),
                NAME.left(2),
                NAME.right(2),
                NAME.after(", "),
                NAME.splitPart("-", 3),
                NAME.trim(),
                when(booleanCol("active")).then(NAME).otherwise(CITY),
                coalesce(NAME, CITY, lit("nowhere")),
                lit((String) null));
    }

    @Test
    void everyInstructionOfConditionsOnText() {
        assertProgram(
                """
                read name TEXT, city TEXT
                pass
                  c0 = equal_text name city
                  c1 = contains name 'a'
                  c2 = starts_with name city
                  c3 = ends_with name 'z'
                  c4 = is_empty name
                  c5 = is_null_text name
                  c6 = matches name '[a-z]+'
                  #2 BOOLEAN = c0
                  #3 BOOLEAN = c1
                  #4 BOOLEAN = c2
                  #5 BOOLEAN = c3
                  #6 BOOLEAN = c4
                  #7 BOOLEAN = c5
                  #8 BOOLEAN = c6
                results #2, #3, #4, #5, #6, #7, #8
                """,
                NAME.equalTo(CITY),
                NAME.contains("a"),
                NAME.startsWith(CITY),
                NAME.endsWith("z"),
                NAME.isEmpty(),
                NAME.isNull(),
                NAME.matches("[a-z]+"));
    }

    @Test
    void everyInstructionOfNumbersAndConditions() {
        assertProgram(
                """
                read id LONG, name TEXT, score DOUBLE, active BOOLEAN
                pass
                  n0 = load_number id
                  n1 = literal_number 10
                  c0 = less_long n0 n1
                  n2 = literal_number 4611686018427387904 (2.0 as a double)
                  n3 = load_number score
                  c1 = less_double n2 n3
                  c2 = not c1
                  c3 = and c0 c2
                  n4 = length name
                  n5 = select_number c3 n0 n4
                  n6 = literal_number 4609434218613702656 (1.5 as a double)
                  n7 = coalesce_number n3 n6
                  n8 = literal_number 3
                  c4 = equal_long n0 n8
                  c5 = load_condition active
                  c6 = or c4 c5
                  c7 = is_null_condition c5
                  c8 = is_null_number n0
                  c9 = literal_condition false
                  c10 = coalesce_condition c5 c9
                  c11 = equal_double n3 n2
                  c12 = select_condition c5 c11 c7
                  #4 LONG = n5
                  #5 DOUBLE = n7
                  #6 BOOLEAN = c6
                  #7 BOOLEAN = c7
                  #8 BOOLEAN = c8
                  #9 BOOLEAN = c10
                  #10 BOOLEAN = c12
                results #4, #5, #6, #7, #8, #9, #10
                """,
                when(ID.lessThan(10).and(SCORE.greaterThan(2).not()))
                        .then(ID)
                        .otherwise(NAME.length()),
                coalesce(SCORE, lit(1.5)),
                ID.equalTo(3).or(ACTIVE),
                ACTIVE.isNull(),
                ID.isNull(),
                coalesce(ACTIVE, lit(false)),
                when(ACTIVE).then(SCORE.equalTo(2)).otherwise(ACTIVE.isNull()));
    }
}
