package io.flinkgpu.backend.cuda;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.api.dense.DenseActivation;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.cuda.aggregate.GroupAbi;
import io.flinkgpu.backend.cuda.dense.DenseAbi;
import io.flinkgpu.backend.cuda.lines.LinesAbi;
import io.flinkgpu.backend.cuda.lookup.LookupAbi;
import io.flinkgpu.backend.cuda.redact.RedactAbi;
import io.flinkgpu.backend.cuda.search.SearchAbi;
import io.flinkgpu.backend.cuda.transform.TransformAbi;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.exact.BinaryGrid;
import io.flinkgpu.program.OpCode;
import io.flinkgpu.program.Operand;
import io.flinkgpu.program.TextPart;
import io.flinkgpu.text.MatchJudge;
import io.flinkgpu.text.automaton.Dfa;
import io.flinkgpu.text.automaton.LiteralIndex;
import io.flinkgpu.text.validator.Entropy;
import io.flinkgpu.text.validator.Iban;
import io.flinkgpu.text.validator.Ipv6;
import io.flinkgpu.text.validator.Luhn;
import io.flinkgpu.text.validator.UsSsn;
import io.flinkgpu.words.WordLayout;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Both sides of the kernel boundary agree on every number, and on the place of each field of each
 * struct; neither has one that the other lacks.
 *
 * <p>Covers: LinesAbi, Kernel, TransformAbi.
 */
class KernelAbiTest {

    /** What the names of a struct's fields begin with, where that is not the struct's name. */
    private static final Map<String, String> PREFIXES =
            Map.ofEntries(
                    Map.entry("rule_entry", "rule"),
                    Map.entry("allow_entry", "allow"),
                    Map.entry("rule_tables", "tables"),
                    Map.entry("batch_header", "header"),
                    Map.entry("hash_patch", "patch"),
                    Map.entry("redact_args", "args"),
                    Map.entry("value_column", "column"),
                    Map.entry("text_part", "part"),
                    Map.entry("literal_entry", "literal"),
                    Map.entry("automaton_entry", "automaton"),
                    Map.entry("source_column", "source"),
                    Map.entry("output_column", "output"),
                    Map.entry("transform_status", "status"));

    /** Names that follow no rule. */
    private static final Map<String, String> NAMES =
            Map.of(
                    "output_column.header", "output_header_address",
                    "transform_args.bytes", "transform_args_size");

    @Test
    void everyNumberOfTheHeaderIsTheSameInJava() throws Exception {
        Map<String, Integer> java = javaConstants(RedactAbi.class);
        addOwners(java);
        assertThat(java).isEqualTo(headerNames("redact/redact_abi.cuh"));
    }

    @Test
    void everyNumberOfTheGroupHeaderIsTheSameInJava() throws Exception {
        Map<String, Integer> java = javaConstants(GroupAbi.class);
        java.put("WORD_FIRST_ROW", GroupedBatch.FIRST_ROW);
        java.put("WORD_KEY_ID", GroupedBatch.KEY_ID);
        java.put("WORD_SLICE", GroupedBatch.SLICE);
        java.put("SPECIAL_NAN", BinaryGrid.NAN);
        java.put("SPECIAL_POSITIVE_INFINITY", BinaryGrid.POSITIVE_INFINITY);
        java.put("SPECIAL_NEGATIVE_INFINITY", BinaryGrid.NEGATIVE_INFINITY);
        assertThat(java).isEqualTo(headerNames("group/group_abi.cuh"));
    }

    @Test
    void everyNumberOfTheTransformHeaderIsTheSameInJava() throws Exception {
        Map<String, Integer> java = javaConstants(TransformAbi.class);
        addOrdinals(java, "OP_", OpCode.values());
        addOrdinals(java, "OPERAND_", Operand.Kind.values());
        addOrdinals(java, "CHANGE_", TextPart.Change.values());
        assertThat(java).isEqualTo(headerNames("transform/transform_abi.cuh"));
    }

    @Test
    void everyNumberOfTheLinesHeaderIsTheSameInJava() throws Exception {
        Map<String, Integer> java = javaConstants(LinesAbi.class);
        addOrdinals(java, "FIELD_", FieldFormat.values());
        assertThat(java).isEqualTo(headerNames("lines/lines_abi.cuh"));
        assertThat(java).containsEntry("LINES_INTEGER_BINS", WordLayout.INTEGER_BINS);
    }

    @Test
    void everyNumberOfTheSearchHeaderIsTheSameInJava() throws Exception {
        Map<String, Integer> java = javaConstants(SearchAbi.class);
        addOrdinals(java, "SIMILARITY_", Similarity.values());
        assertThat(java).isEqualTo(headerNames("search/search_abi.cuh"));
    }

    @Test
    void everyNumberOfTheLookupHeaderIsTheSameInJava() throws Exception {
        Map<String, Integer> java = javaConstants(LookupAbi.class);
        addOrdinals(java, "LOOKUP_", ElementType.values());
        addOrdinals(java, "LOOKUP_", Combiner.values());
        assertThat(java).isEqualTo(headerNames("lookup/lookup_abi.cuh"));
    }

    @Test
    void everyNumberOfTheDenseHeaderIsTheSameInJava() throws Exception {
        Map<String, Integer> java = javaConstants(DenseAbi.class);
        addOrdinals(java, "ACTIVATION_", DenseActivation.values());
        assertThat(java).isEqualTo(headerNames("dense/dense_abi.cuh"));
    }

    private static void addOrdinals(
            Map<String, Integer> constants, String prefix, Enum<?>[] values) {
        for (Enum<?> value : values) {
            constants.put(prefix + value.name(), value.ordinal());
        }
    }

    private static Map<String, Integer> headerNames(String header) throws Exception {
        return KernelHeader.read(header).javaNames(PREFIXES, NAMES);
    }

    private static Map<String, Integer> javaConstants(Class<?> abi) throws IllegalAccessException {
        Map<String, Integer> constants = new TreeMap<>();
        for (Field field : abi.getDeclaredFields()) {
            if (!field.isSynthetic()) {
                field.setAccessible(true);
                constants.put(field.getName(), field.getInt(null));
            }
        }
        return constants;
    }

    /** Numbers that Java keeps where they belong. */
    private static void addOwners(Map<String, Integer> constants) {
        constants.put("CONTEXTS", Dfa.CONTEXTS);
        constants.put("CONTEXT_START", Dfa.AT_START);
        constants.put("CONTEXT_OTHER", Dfa.AFTER_OTHER);
        constants.put("CONTEXT_WORD", Dfa.AFTER_WORD);
        constants.put("CONTEXT_CR", Dfa.AFTER_CR);
        constants.put("LUHN_MAX_BYTES", Luhn.MAX_BYTES);
        constants.put("LUHN_MIN_DIGITS", Luhn.MIN_DIGITS);
        constants.put("LUHN_MAX_DIGITS", Luhn.MAX_DIGITS);
        constants.put("IBAN_MAX_BYTES", Iban.MAX_BYTES);
        constants.put("US_SSN_MAX_BYTES", UsSsn.MAX_BYTES);
        constants.put("IBAN_MAX_CHARACTERS", Iban.MAX_CHARACTERS);
        constants.put("IPV6_MAX_BYTES", Ipv6.MAX_BYTES);
        constants.put("ENTROPY_MAX_BYTES", Entropy.MAX_BYTES);
        constants.put("ENTROPY_FRACTION_BITS", Entropy.FRACTION_BITS);
        constants.put("MAX_RULES", RuleSet.MAX_RULES);
        constants.put("TEXT_HASH_BITS", LiteralIndex.HASH_BITS);
        constants.put("NO_TEXT", (int) LiteralIndex.NO_ENTRY);
        constants.put("LONG_TEXT", (int) LiteralIndex.LONG_ENTRY);
        constants.put("VERDICT_REDACT", MatchJudge.REDACT);
        constants.put("VERDICT_KEEP", MatchJudge.KEEP);
        constants.put("VERDICT_REJECT", MatchJudge.REJECT);
        for (Validator.Kind kind : Validator.Kind.values()) {
            constants.put("VALIDATOR_" + kind.name(), kind.ordinal());
        }
    }
}
