package io.flinkgpu.sql;

import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each package of the module may import: Flink's public SQL API, and of the library what its row says.
 *
 * <p>Covers: flink-gpu-sql/src/main/java.
 */
class ArchitectureTest {

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.flinkgpu.sql");

    private static final String[] FLINK = {
        "java..",
        "org.apache.arrow.memory..",
        "org.slf4j..",
        "org.apache.flink.annotation..",
        "org.apache.flink.api..",
        "org.apache.flink.configuration..",
        "org.apache.flink.core.fs..",
        "org.apache.flink.streaming.api..",
        "org.apache.flink.table..",
        "org.apache.flink.util.."
    };

    @ParameterizedTest
    @CsvSource({
        "rules, api rules text backend backend.plan backend.cpu column",
        "functions, sql.rules api text",
        "module, sql.functions sql.rules api rules",
        "model, sql.rules io.flinkgpu api api.dense api.lookup api.search rules text onnx backend"
                + " backend.plan backend.cpu column operator operator.lookup operator.search"
                + " org.apache.flink.types..",
        "script, org.apache.flink.shaded.jackson2..",
        "connector, io.flinkgpu api api.lines source org.apache.flink.types..",
        "aggregate, io.flinkgpu api api.lines backend.cpu backend.plan column exact groups operator"
                + " operator.lines org.apache.flink.core.memory.. org.apache.flink.metrics.."
                + " org.apache.flink.runtime.memory.. org.apache.flink.runtime.state.."
                + " org.apache.flink.streaming.runtime.streamrecord.. org.apache.flink.types..",
        "operator, io.flinkgpu api backend backend.plan backend.cpu column operator program"
                + " org.apache.arrow.vector.. org.apache.flink.core.memory.."
                + " org.apache.flink.metrics.. org.apache.flink.streaming.runtime.streamrecord.."
                + " org.apache.flink.types.."
    })
    void importsOnly(String name, String allowed) {
        List<String> packages = new ArrayList<>(List.of(FLINK));
        packages.add("io.flinkgpu.sql." + name);
        for (String other : allowed.split(" ")) {
            packages.add(
                    other.contains("flinkgpu") || other.startsWith("org.")
                            ? other
                            : "io.flinkgpu." + other);
        }
        classes()
                .that()
                .resideInAPackage("io.flinkgpu.sql." + name)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(packages.toArray(new String[0]))
                .check(CLASSES);
    }

    @Test
    void eachPackageHasARow() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct())
                .containsExactlyInAnyOrder(
                        "io.flinkgpu.sql.rules",
                        "io.flinkgpu.sql.functions",
                        "io.flinkgpu.sql.module",
                        "io.flinkgpu.sql.model",
                        "io.flinkgpu.sql.connector",
                        "io.flinkgpu.sql.operator",
                        "io.flinkgpu.sql.aggregate",
                        "io.flinkgpu.sql.script");
    }

    @Test
    void nothingOfThePlannerAndOnlyOperatorsOfTheTableRuntime() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.calcite..", "scala..", "org.apache.flink.table.planner..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("io.flinkgpu.sql.operator", "io.flinkgpu.sql.aggregate")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.flink.table.runtime..")
                .check(CLASSES);
    }

    @Test
    void everyPublicTypeSaysWhomItIsFor() {
        assertThat(
                        CLASSES.stream()
                                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC)))
                .allMatch(
                        type ->
                                type.isAnnotatedWith(PublicEvolving.class)
                                        != type.isAnnotatedWith(Internal.class));
    }
}
