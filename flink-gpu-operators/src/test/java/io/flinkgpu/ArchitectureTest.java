package io.flinkgpu;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The table of packages and what each may import; see flink-gpu-operators/README.md. */
class ArchitectureTest {

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.flinkgpu");

    private static final String ARROW = "org.apache.arrow..";
    private static final String FLINK = "org.apache.flink..";

    static Stream<Arguments> packages() {
        return Stream.of(
                arguments(
                        "api",
                        List.of(
                                "org.apache.flink.api.common.typeinfo..",
                                "org.apache.flink.api.common.typeutils..",
                                "org.apache.flink.api.common.serialization..",
                                "org.apache.flink.core.memory..",
                                "org.apache.flink.types..")),
                arguments("api.expression", List.of("io.flinkgpu.api")),
                arguments("api.lines", List.of("io.flinkgpu.api")),
                arguments("parse", List.of("io.flinkgpu.api", "io.flinkgpu.api.lines")),
                arguments("exact", List.of()),
                arguments(
                        "state",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.exact",
                                "org.apache.flink.api.common.typeinfo..",
                                "org.apache.flink.api.common.typeutils..",
                                "org.apache.flink.api.common.serialization..",
                                "org.apache.flink.core.memory..")),
                arguments("rules", List.of("io.flinkgpu.api", "org.snakeyaml.engine..")),
                arguments(
                        "column", List.of("io.flinkgpu.api", "io.flinkgpu.api.expression", ARROW)),
                arguments(
                        "program",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text")),
                arguments("source", List.of("io.flinkgpu.api", FLINK)),
                arguments(
                        "text",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.text.automaton",
                                "io.flinkgpu.text.regex",
                                "io.flinkgpu.text.validator")),
                arguments("text.regex", List.of("io.flinkgpu.api")),
                arguments("text.automaton", List.of("io.flinkgpu.text.regex")),
                arguments("text.validator", List.of()),
                arguments(
                        "backend",
                        List.of(
                                "io.flinkgpu.column",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.backend.plan",
                                ARROW)),
                arguments(
                        "backend.plan",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.column",
                                ARROW)),
                arguments(
                        "backend.steps",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                ARROW)),
                arguments(
                        "backend.auto",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                ARROW)),
                arguments(
                        "backend.cpu",
                        List.of(
                                "io.flinkgpu.backend.steps",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cpu.redact",
                                "io.flinkgpu.backend.cpu.aggregate",
                                "io.flinkgpu.backend.cpu.lines",
                                "io.flinkgpu.backend.cpu.transform",
                                "io.flinkgpu.backend.cpu.row",
                                ARROW)),
                arguments("backend.cpu.bytes", List.of("io.flinkgpu.column", ARROW)),
                arguments(
                        "backend.cpu.redact",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.text",
                                "io.flinkgpu.text.automaton",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                ARROW)),
                arguments(
                        "backend.cpu.aggregate",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.exact",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                ARROW)),
                arguments(
                        "backend.cpu.lines",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cpu.aggregate",
                                "io.flinkgpu.backend.cpu.bytes",
                                "io.flinkgpu.backend.cpu.lines.group",
                                "io.flinkgpu.backend.cpu.lines.fast",
                                ARROW)),
                arguments(
                        "backend.cpu.lines.fast",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cpu.lines.group",
                                ARROW)),
                arguments(
                        "backend.cpu.lines.group",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.parse",
                                "io.flinkgpu.exact",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cpu.aggregate",
                                "io.flinkgpu.backend.cpu.bytes",
                                ARROW)),
                arguments(
                        "backend.cpu.transform",
                        List.of(
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cpu.bytes",
                                ARROW)),
                arguments(
                        "backend.cpu.row",
                        List.of(
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.cpu.bytes",
                                "io.flinkgpu.backend.cpu.transform")),
                arguments(
                        "backend.cuda",
                        List.of(
                                "io.flinkgpu.backend.steps",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cuda.device",
                                "io.flinkgpu.backend.cuda.redact",
                                "io.flinkgpu.backend.cuda.aggregate",
                                "io.flinkgpu.backend.cuda.lines",
                                "io.flinkgpu.backend.cuda.transform",
                                ARROW)),
                arguments("backend.cuda.device", List.of("io.flinkgpu.backend", ARROW, "jcuda..")),
                arguments(
                        "backend.cuda.redact",
                        List.of(
                                "io.flinkgpu.text.validator",
                                "io.flinkgpu.api",
                                "io.flinkgpu.text",
                                "io.flinkgpu.text.automaton",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cuda.device",
                                ARROW)),
                arguments(
                        "backend.cuda.aggregate",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.exact",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cuda.device",
                                ARROW)),
                arguments(
                        "backend.cuda.lines",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cuda.device",
                                "io.flinkgpu.backend.cuda.aggregate",
                                ARROW)),
                arguments(
                        "backend.cuda.transform",
                        List.of(
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.text",
                                "io.flinkgpu.program",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.backend.cuda.device",
                                ARROW)),
                arguments(
                        "operator",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                ARROW,
                                FLINK)),
                arguments(
                        "operator.redact",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.text",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.operator",
                                ARROW,
                                FLINK)),
                arguments(
                        "operator.transform",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.expression",
                                "io.flinkgpu.program",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.operator",
                                ARROW,
                                FLINK)),
                arguments(
                        "operator.window",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.state",
                                "io.flinkgpu.operator",
                                ARROW,
                                FLINK)),
                arguments(
                        "operator.lines",
                        List.of(
                                "io.flinkgpu.api",
                                "io.flinkgpu.api.lines",
                                "io.flinkgpu.parse",
                                "io.flinkgpu.text",
                                "io.flinkgpu.column",
                                "io.flinkgpu.backend",
                                "io.flinkgpu.backend.plan",
                                "io.flinkgpu.state",
                                "io.flinkgpu.operator",
                                "io.flinkgpu.operator.redact",
                                "io.flinkgpu.operator.window",
                                ARROW,
                                FLINK)));
    }

    /** A package may use itself, the JDK, the logging facade and what is named. */
    @ParameterizedTest
    @MethodSource("packages")
    void importsOnlyWhatTheTableSays(String name, List<String> allowed) {
        String self = "io.flinkgpu." + name;
        List<String> all = new ArrayList<>(allowed);
        all.addAll(List.of(self, "java..", "javax.crypto..", "org.slf4j.."));
        classes()
                .that()
                .resideInAPackage(self)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(all.toArray(new String[0]))
                                .or(
                                        describe(
                                                "primitives and their arrays",
                                                type -> type.getBaseComponentType().isPrimitive())))
                .check(CLASSES);
    }

    /** A new package needs its row in the table. */
    @Test
    void everyPackageIsInTheTable() {
        Set<String> known =
                packages().map(row -> "io.flinkgpu." + row.get()[0]).collect(Collectors.toSet());
        known.add("io.flinkgpu");
        assertThat(CLASSES.stream().map(JavaClass::getPackageName)).isSubsetOf(known);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.flinkgpu.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void staticStateIsFinal() {
        fields().that()
                .areStatic()
                .and(
                        describe(
                                "are not made by the compiler",
                                field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC)))
                .should()
                .beFinal()
                .check(CLASSES);
    }
}
