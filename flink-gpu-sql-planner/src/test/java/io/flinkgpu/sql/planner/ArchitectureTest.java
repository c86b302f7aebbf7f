package io.flinkgpu.sql.planner;

import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The planner knows what users ask the library for, and the operators; nothing that runs with them.
 *
 * <p>Covers: flink-gpu-sql-planner/src/main/java.
 */
class ArchitectureTest {

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.flinkgpu.sql.planner");

    @Test
    void importsOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.flinkgpu.sql.planner",
                        "io.flinkgpu.sql.aggregate",
                        "io.flinkgpu.sql.connector",
                        "io.flinkgpu.sql.functions",
                        "io.flinkgpu.sql.operator",
                        "io.flinkgpu.sql.rules",
                        "io.flinkgpu.api",
                        "io.flinkgpu.api.expression",
                        "io.flinkgpu.api.lines",
                        "io.flinkgpu.operator",
                        "io.flinkgpu.program",
                        "io.flinkgpu.text",
                        "io.flinkgpu.text.regex",
                        "java..",
                        "scala..",
                        "org.apache.calcite..",
                        "org.apache.flink..",
                        "org.slf4j..")
                .check(CLASSES);
    }

    @Test
    void everyPublicTypeSaysWhomItIsFor() {
        assertThat(
                        CLASSES.stream()
                                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                                .filter(type -> type.isTopLevelClass()))
                .allMatch(
                        type ->
                                type.isAnnotatedWith(PublicEvolving.class)
                                        != type.isAnnotatedWith(Internal.class));
    }
}
